# pandia_flags(TARGET): how everything of ours is compiled. Third-party sources (QuickJS) are not.
set(PANDIA_SANITIZE "" CACHE STRING "Sanitizers for everything, e.g. address,undefined")
option(PANDIA_FUZZ "Build the libFuzzer targets (clang)" OFF)
option(PANDIA_HARDEN "Hardening flags of a release" OFF)

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "" FORCE)
endif()
# Asserts state what the programmer promised, and stay on in a release.
string(REPLACE "-DNDEBUG" "" CMAKE_C_FLAGS_RELEASE "${CMAKE_C_FLAGS_RELEASE}")
string(REPLACE "-DNDEBUG" "" CMAKE_C_FLAGS_RELWITHDEBINFO "${CMAKE_C_FLAGS_RELWITHDEBINFO}")

set(PANDIA_WARNINGS
    -pedantic -Werror -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion
    -Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition -Wvla -Wwrite-strings
    -Wcast-qual -Wformat=2 -Wundef -Wswitch-enum -Wimplicit-fallthrough -Wnull-dereference
    -Wdouble-promotion)

if(PANDIA_SANITIZE)
    add_compile_options("-fsanitize=${PANDIA_SANITIZE}" -fno-sanitize-recover=all
        -fno-omit-frame-pointer)
    add_link_options("-fsanitize=${PANDIA_SANITIZE}")
endif()
if(PANDIA_FUZZ)
    add_compile_options(-fsanitize=fuzzer-no-link)
endif()
if(PANDIA_HARDEN)
    add_compile_options(-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3 -fstack-protector-strong
        -fstack-clash-protection)
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64|i.86")
        add_compile_options(-fcf-protection) # control-flow enforcement of x86; an error elsewhere
    endif()
    add_link_options(-Wl,-z,relro,-z,now)
    include(CheckPIESupported)
    check_pie_supported(LANGUAGES C)
endif()

function(pandia_flags target)
    target_compile_definitions(${target} PRIVATE _GNU_SOURCE)
    target_compile_options(${target} PRIVATE ${PANDIA_WARNINGS}
        "SHELL:-include ${CMAKE_SOURCE_DIR}/base/banned.h")
    target_include_directories(${target} PRIVATE "${CMAKE_SOURCE_DIR}")
endfunction()
