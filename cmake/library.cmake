# The library as other programs see it: libtern_core.a, libtern.a, libtern.so, and the targets Tern::core,
# Tern::host, Tern::compiler.
# SPDX-License-Identifier: Apache-2.0
#
# All three are made of the objects of the layers, so nothing is compiled twice. libtern_core.a is the freestanding
# part alone; libtern.a and libtern.so hold everything that has a public header. What libtern.so exports is
# cmake/libtern.map, a list that the test lint.exports compares with the public headers. docs/47-library.md.

# Headers only: an archive of this tree, without the private folders that the layers have on their include paths.
function(tern_component name)
  add_library(tern_component_${name} INTERFACE)
  add_library(Tern::${name} ALIAS tern_component_${name})
  target_include_directories(tern_component_${name} INTERFACE ${TERN_PUBLIC_INCLUDE})
  target_link_libraries(tern_component_${name} INTERFACE ${ARGN})
endfunction()

tern_component(core $<LINK_ONLY:tern_core>)
if(TERN_CORE_ONLY)
  return()
endif()

set(layers base net blocks engine model fast metrics reference image data runner network language lower driver)
set(objects "")
foreach(layer ${layers})
  list(APPEND objects $<TARGET_OBJECTS:tern_${layer}>)
endforeach()
get_target_property(fast_objects tern_fast SOURCES) # the loops of each instruction set
list(FILTER fast_objects INCLUDE REGEX "TARGET_OBJECTS")
list(APPEND objects ${fast_objects})
set(libraries ZLIB::ZLIB PkgConfig::NETTLE Threads::Threads m)
foreach(name HDF5 LZ4 ZSTD)
  if(TERN_HAVE_${name})
    list(APPEND libraries PkgConfig::TERN_${name})
  endif()
endforeach()

add_library(tern_archive STATIC ${objects})
set_target_properties(tern_archive PROPERTIES OUTPUT_NAME tern LINKER_LANGUAGE C
  ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
if(TERN_BUILD_SHARED)
  set(map ${PROJECT_SOURCE_DIR}/cmake/libtern.map)
  add_library(tern_shared SHARED ${objects})
  set_target_properties(tern_shared PROPERTIES OUTPUT_NAME tern LINKER_LANGUAGE C
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR} LINK_DEPENDS ${map})
  target_link_options(tern_shared PRIVATE LINKER:--version-script=${map} LINKER:--as-needed)
  if(NOT TERN_SANITIZE AND NOT TERN_FUZZ) # their functions come with the program
    target_link_options(tern_shared PRIVATE LINKER:-z,defs)
  endif()
  target_link_libraries(tern_shared PRIVATE ${libraries} ${LUA_LIBRARIES})
endif()

# As everywhere in CMake, BUILD_SHARED_LIBS says which of the two a project that contains Tern is linked with.
if(TERN_BUILD_SHARED AND BUILD_SHARED_LIBS)
  tern_component(host $<LINK_ONLY:tern_shared>)
  tern_component(compiler Tern::host)
else()
  tern_component(host $<LINK_ONLY:tern_archive> ${libraries})
  tern_component(compiler Tern::host ${LUA_LIBRARIES})
endif()
