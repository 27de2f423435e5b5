# Target quickjs: the quickjs-ng engine from pinned source, which script/get-quickjs (and therefore
# script/bootstrap) puts into build/deps/quickjs. All presets share that copy; it is never committed.
# Not here: who may use it (contexts/javascript), and quickjs-libc, which we do not build.

set(PANDIA_QUICKJS_DIR "${CMAKE_SOURCE_DIR}/build/deps/quickjs" CACHE PATH
    "Sources of quickjs-ng, as script/get-quickjs leaves them")
# After `rm -rf build` the cache of script/bootstrap still has them; configuring never downloads.
if(NOT EXISTS "${PANDIA_QUICKJS_DIR}/quickjs.c")
    execute_process(COMMAND "${CMAKE_SOURCE_DIR}/script/get-quickjs" --cached "${PANDIA_QUICKJS_DIR}"
        OUTPUT_QUIET ERROR_QUIET)
endif()
if(NOT EXISTS "${PANDIA_QUICKJS_DIR}/quickjs.c")
    message(FATAL_ERROR "No QuickJS sources in ${PANDIA_QUICKJS_DIR}. Run script/bootstrap, or only "
        "script/get-quickjs; it says what to do without a network.")
endif()

# What is changed in quickjs.c on the way must be there, so that another version does not build.
set(quickjs_c "${CMAKE_CURRENT_BINARY_DIR}/quickjs/quickjs.c")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PANDIA_QUICKJS_DIR}/quickjs.c")
file(READ "${PANDIA_QUICKJS_DIR}/quickjs.c" source)

function(pandia_change before after)
    string(FIND "${source}" "${before}" at)
    if(at EQUAL -1)
        message(FATAL_ERROR "quickjs.c in ${PANDIA_QUICKJS_DIR} is not the version that "
            "cmake/QuickJS.cmake knows how to change. Run script/get-quickjs to have the pinned one.")
    endif()
    string(REPLACE "${before}" "${after}" changed "${source}")
    set(source "${changed}" PARENT_SCOPE)
endfunction()

# The value of a cell leaves it as the property of an object that the engine makes, and the engine
# looks for `then` on that object. As it is, a cell that sets Object.prototype.then, or a setter for
# `value`, takes the results of all cells after it; so the object has no prototype here.
pandia_change("emit_op(s, OP_dup);
                emit_op(s, OP_get_loc);
                emit_u16(s, fd->eval_ret_idx);
                emit_op(s, OP_put_field);"
              "emit_op(s, OP_null);
                emit_op(s, OP_set_proto);
                emit_op(s, OP_get_loc);
                emit_u16(s, fd->eval_ret_idx);
                emit_op(s, OP_define_field);")
# Where there is no memory for one more name, `catch` would see null instead of an error.
pandia_change("/* XXX: should generate an exception */
    return __JS_NewAtom(rt, p, JS_ATOM_TYPE_STRING);"
              "n = __JS_NewAtom(rt, p, JS_ATOM_TYPE_STRING);
    if (n == JS_ATOM_NULL) {
        JS_ThrowOutOfMemory(ctx);
    }
    return n;")

set(present "")
if(EXISTS "${quickjs_c}")
    file(READ "${quickjs_c}" present)
endif()
if(NOT source STREQUAL present)
    file(WRITE "${quickjs_c}" "${source}")
endif()
unset(source)
unset(present)

add_library(quickjs STATIC
    "${PANDIA_QUICKJS_DIR}/dtoa.c"
    "${PANDIA_QUICKJS_DIR}/libregexp.c"
    "${PANDIA_QUICKJS_DIR}/libunicode.c"
    "${quickjs_c}")
target_include_directories(quickjs SYSTEM PUBLIC "${PANDIA_QUICKJS_DIR}")
target_compile_definitions(quickjs PRIVATE _GNU_SOURCE QUICKJS_NG_BUILD)
# Not our warnings, and optimised in every preset: an engine at -O0 is no use even for debugging.
# Fuzzers look for bugs of ours, so that the engine's branches do not count as coverage there.
# Of the sanitizers it gets the one for addresses, which sees what we do to its values; the one for
# undefined behaviour would take minutes to compile and look for faults that are not ours.
target_compile_options(quickjs PRIVATE -O2 -funsigned-char -w
    -fno-sanitize=undefined
    $<$<BOOL:${PANDIA_FUZZ}>:-fno-sanitize=fuzzer-no-link>)
# Not optimised at link time: it is one large file already, and every test that links it would compile
# it once more.
set_target_properties(quickjs PROPERTIES C_EXTENSIONS ON INTERPROCEDURAL_OPTIMIZATION OFF)
find_package(Threads REQUIRED)
target_link_libraries(quickjs PUBLIC m ${CMAKE_DL_LIBS} Threads::Threads)
