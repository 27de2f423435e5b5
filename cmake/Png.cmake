# pandia::png: libpng for the room mime, by its archives where the distribution has them. Of those
# nothing is visible outside of our program; the symbols of a shared one would come before those of
# the libpng that packages like Pillow bring along, in a process where their versions differ. Nor
# does a worker load and bind two libraries more at every start (0.1 ms).
add_library(pandia_png INTERFACE)
add_library(pandia::png ALIAS pandia_png)

pkg_check_modules(PNG REQUIRED IMPORTED_TARGET libpng>=1.6)
pkg_get_variable(png_dir libpng libdir)
find_library(PANDIA_PNG_ARCHIVE NAMES libpng16.a libpng.a HINTS "${png_dir}" NO_CACHE)
find_library(PANDIA_Z_ARCHIVE NAMES libz.a HINTS "${png_dir}" NO_CACHE)
if(PANDIA_PNG_ARCHIVE AND PANDIA_Z_ARCHIVE)
    target_include_directories(pandia_png SYSTEM INTERFACE ${PNG_INCLUDE_DIRS})
    target_link_libraries(pandia_png INTERFACE "${PANDIA_PNG_ARCHIVE}" "${PANDIA_Z_ARCHIVE}" m)
    get_filename_component(png_name "${PANDIA_PNG_ARCHIVE}" NAME)
    target_link_options(pandia_png INTERFACE "LINKER:--exclude-libs,${png_name}:libz.a")
else()
    target_link_libraries(pandia_png INTERFACE PkgConfig::PNG)
endif()
