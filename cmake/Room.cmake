# pandia_room(NAME FOLDER [DEPS target...] [EXCLUDE file...])
# A room is a folder and its static library. Every .c in the folder belongs to it; what it may use
# is said here, and tests/lint/layers checks the includes against the same graph.
function(pandia_room name folder)
    cmake_parse_arguments(ROOM "" "" "DEPS;EXCLUDE" ${ARGN})
    file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/${folder}/*.c")
    foreach(file IN LISTS ROOM_EXCLUDE)
        list(REMOVE_ITEM sources "${CMAKE_SOURCE_DIR}/${folder}/${file}")
    endforeach()
    add_library(${name} STATIC ${sources})
    target_link_libraries(${name} PUBLIC ${ROOM_DEPS})
    set_target_properties(${name} PROPERTIES OUTPUT_NAME "pandia-${name}")
    pandia_flags(${name})
endfunction()
