# Turns text files into one C source: a table of {name, text, length}.
#
#   pandia_embed(OUTPUT file.c TABLE symbol HEADER header.h FILES file...)
#
# `header.h` declares `extern const struct SYMBOL_file SYMBOL_files[]` and SYMBOL_file_count.
# Run as a script (cmake -P) this same file does the work at build time.

if(NOT CMAKE_SCRIPT_MODE_FILE)
    set(PANDIA_EMBED_SCRIPT "${CMAKE_CURRENT_LIST_FILE}")

    function(pandia_embed)
        cmake_parse_arguments(EMBED "" "OUTPUT;TABLE;HEADER" "FILES" ${ARGN})
        add_custom_command(
            OUTPUT "${EMBED_OUTPUT}"
            COMMAND "${CMAKE_COMMAND}" "-DOUTPUT=${EMBED_OUTPUT}" "-DTABLE=${EMBED_TABLE}"
                "-DHEADER=${EMBED_HEADER}" "-DFILES=${EMBED_FILES}" -P "${PANDIA_EMBED_SCRIPT}"
            DEPENDS ${EMBED_FILES} "${PANDIA_EMBED_SCRIPT}"
            COMMENT "Embedding ${EMBED_TABLE} files"
            VERBATIM)
    endfunction()
    return()
endif()

set(source "/* Made by cmake/Embed.cmake. */\n#include \"${HEADER}\"\n")
set(rows "")
set(count 0)
foreach(file IN LISTS FILES)
    get_filename_component(name "${file}" NAME)
    file(READ "${file}" hex HEX)
    string(REGEX REPLACE "(................................)" "\\1\n" hex "${hex}")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," hex "${hex}")
    # The NUL behind the text is not counted.
    string(APPEND source "\nstatic const char text_${count}[] = {\n${hex}0};\n")
    string(APPEND rows "    {\"${name}\", text_${count}, sizeof text_${count} - 1},\n")
    math(EXPR count "${count} + 1")
endforeach()
string(APPEND source "\nconst struct ${TABLE}_file ${TABLE}_files[] = {\n${rows}};\n")
string(APPEND source "const size_t ${TABLE}_file_count = ${count};\n")
file(WRITE "${OUTPUT}" "${source}")
