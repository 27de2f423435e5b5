# One Python for everything: pkg-config's python3-embed names headers and library, and the
# interpreter is the one beside them. CMake's own FindPython is not used, because it mixes the
# python3 first in PATH (pyenv, conda) with the distribution's headers.
#
# Gives: PANDIA_PYTHON_EXECUTABLE, PANDIA_PYTHON_VERSION (with the micro version),
#        PANDIA_PYTHON_INCLUDE_DIR,
#        PANDIA_PYTHON_LINKAGE (static or shared),
#        pandia::python_headers  to compile against,
#        pandia::python_embed    to link an interpreter into a program, by
#        pandia_embed_python(TARGET).
# Not here: which interpreter a context runs at run time (contexts/python).

pkg_check_modules(PYTHON_EMBED REQUIRED python3-embed>=3.10)
pkg_get_variable(python_prefix python3-embed exec_prefix)

set(PANDIA_PYTHON_EXECUTABLE "${python_prefix}/bin/python${PYTHON_EMBED_VERSION}")
set(python_remedy "Install the interpreter and its -dev package from one place (script/bootstrap does), \
or let PKG_CONFIG_PATH name the python3-embed.pc of the Python you want.")
if(NOT EXISTS "${PANDIA_PYTHON_EXECUTABLE}")
    message(FATAL_ERROR "pkg-config python3-embed says Python ${PYTHON_EMBED_VERSION} in "
        "${python_prefix}, but there is no ${PANDIA_PYTHON_EXECUTABLE}. ${python_remedy}")
endif()

# Asks the interpreter itself: version, headers, and how a program that contains it is linked.
set(python_question [[
import platform, sysconfig
var = sysconfig.get_config_var
print(platform.python_version())
print(sysconfig.get_path("include"))
print("%s/%s" % (var("LIBPL"), var("LIBRARY")))
print(" ".join(str(var(name) or "") for name in ("MODLIBS", "LIBS", "SYSLIBS")))
]])
execute_process(COMMAND "${PANDIA_PYTHON_EXECUTABLE}" -I -c "${python_question}"
    OUTPUT_VARIABLE python_answer RESULT_VARIABLE python_failed
    OUTPUT_STRIP_TRAILING_WHITESPACE)
if(python_failed)
    message(FATAL_ERROR "${PANDIA_PYTHON_EXECUTABLE} does not run (${python_failed}). ${python_remedy}")
endif()
string(REPLACE "\n" ";" python_answer "${python_answer}")
list(GET python_answer 0 PANDIA_PYTHON_VERSION)
list(GET python_answer 1 PANDIA_PYTHON_INCLUDE_DIR)
list(GET python_answer 2 python_archive)
list(GET python_answer 3 python_libraries)

# "The same minor version" is not enough: extension modules of the standard library use private
# symbols of their own micro release.
find_file(python_patchlevel patchlevel.h PATHS ${PYTHON_EMBED_INCLUDE_DIRS}
    NO_DEFAULT_PATH NO_CACHE REQUIRED)
file(STRINGS "${python_patchlevel}" python_header_version REGEX "#define PY_VERSION ")
string(REGEX REPLACE ".*\"(.*)\".*" "\\1" python_header_version "${python_header_version}")
if(NOT python_header_version STREQUAL PANDIA_PYTHON_VERSION)
    message(FATAL_ERROR "Two different Pythons: the headers (${python_patchlevel}) are "
        "${python_header_version}, ${PANDIA_PYTHON_EXECUTABLE} is ${PANDIA_PYTHON_VERSION}. "
        "${python_remedy}")
endif()
get_filename_component(python_header_dir "${python_patchlevel}" DIRECTORY)
file(REAL_PATH "${python_header_dir}" python_header_dir)
file(REAL_PATH "${PANDIA_PYTHON_INCLUDE_DIR}" PANDIA_PYTHON_INCLUDE_DIR)
if(NOT python_header_dir STREQUAL PANDIA_PYTHON_INCLUDE_DIR)
    message(FATAL_ERROR "Two different Pythons: python3-embed has its headers in "
        "${python_header_dir}, ${PANDIA_PYTHON_EXECUTABLE} was built with ${PANDIA_PYTHON_INCLUDE_DIR}. "
        "${python_remedy}")
endif()

add_library(pandia::python_headers INTERFACE IMPORTED)
target_include_directories(pandia::python_headers SYSTEM INTERFACE "${PANDIA_PYTHON_INCLUDE_DIR}")

# The archive runs user code measurably faster than the shared library. All of it is linked in and
# its names are exported, as in the distribution's own program, since extension modules take
# anything of it. Only Python's names are: ours would otherwise stand in front of equally named
# functions of every library a cell loads. The archive is usually not position independent, so
# neither is the program; this too is as the distribution does it.
separate_arguments(python_libraries UNIX_COMMAND "${python_libraries}")
list(REMOVE_DUPLICATES python_libraries)
set(python_link_whole -no-pie "LINKER:--export-dynamic-symbol=Py*"
    "LINKER:--export-dynamic-symbol=_Py*")
function(python_check_archive)
    # By the full path and without flags of ours: an archive of another compiler's LTO, or one that
    # is missing, sends us to the shared library.
    set(CMAKE_REQUIRED_QUIET ON)
    set(CMAKE_REQUIRED_INCLUDES "${PANDIA_PYTHON_INCLUDE_DIR}")
    set(CMAKE_REQUIRED_LINK_OPTIONS ${python_link_whole})
    set(CMAKE_REQUIRED_LIBRARIES -Wl,--whole-archive "${python_archive}" -Wl,--no-whole-archive
        ${python_libraries})
    include(CheckCSourceCompiles)
    check_c_source_compiles("#include <Python.h>
        int main(int argc, char **argv) { return Py_BytesMain(argc, argv); }" PYTHON_ARCHIVE_LINKS)
endfunction()
if(EXISTS "${python_archive}")
    python_check_archive()
endif()

add_library(pandia::python_embed INTERFACE IMPORTED)
target_link_libraries(pandia::python_embed INTERFACE pandia::python_headers)
if(PYTHON_ARCHIVE_LINKS)
    set(PANDIA_PYTHON_LINKAGE static)
    target_link_libraries(pandia::python_embed INTERFACE
        "$<LINK_LIBRARY:WHOLE_ARCHIVE,${python_archive}>" ${python_libraries})
    target_link_options(pandia::python_embed INTERFACE ${python_link_whole})
else()
    set(PANDIA_PYTHON_LINKAGE shared)
    target_link_libraries(pandia::python_embed INTERFACE ${PYTHON_EMBED_LINK_LIBRARIES})
endif()
message(STATUS "Python ${PANDIA_PYTHON_VERSION}, ${PANDIA_PYTHON_EXECUTABLE}, "
    "linked ${PANDIA_PYTHON_LINKAGE}")

# Makes the program TARGET contain the interpreter.
function(pandia_embed_python target)
    target_link_libraries(${target} PRIVATE pandia::python_embed)
    if(PANDIA_PYTHON_LINKAGE STREQUAL static)
        set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    endif()
endfunction()
