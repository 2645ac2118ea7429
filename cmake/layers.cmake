# Layers: one folder, one static library, one place in the order of docs/00-overview.md.
# SPDX-License-Identifier: Apache-2.0
#
# tern_layer(NAME SOURCES file... [USES layer...] [LIBS library...] [FREESTANDING])
#
# Builds the library tern_NAME from the files of the current folder. USES names the layers that it may use. Only their folders, and
# those of the layers below them, are on the include path, so an include of anything else does not compile. A call that is declared by
# hand would still link; the test lint.layers reads the symbols of all libraries and refuses it. The list that the test needs is written
# to build/layers.txt: a line per layer, `NAME FOLDER USES...`, lowest first.
# FREESTANDING: integers only, nothing of the C library but memcpy and memset.
set_property(GLOBAL PROPERTY TERN_LAYER_LINES "")
# A layer whose library is made by other means: its line for the test.
function(tern_layer_line name folder uses)
  set_property(GLOBAL APPEND PROPERTY TERN_LAYER_LINES "${name} ${folder} ${uses}")
endfunction()
function(tern_layer name)
  cmake_parse_arguments(L "FREESTANDING" "" "SOURCES;USES;LIBS" ${ARGN})
  add_library(tern_${name} STATIC ${L_SOURCES})
  target_include_directories(tern_${name} PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})
  if(IS_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/include)
    target_include_directories(tern_${name} PUBLIC ${CMAKE_CURRENT_SOURCE_DIR}/include)
  endif()
  target_link_libraries(tern_${name} PRIVATE tern_warnings)
  foreach(used ${L_USES})
    if(NOT TARGET tern_${used})
      message(FATAL_ERROR "The layer '${name}' uses '${used}', which is not below it: see cmake/layers.cmake and docs/00-overview.md.")
    endif()
    target_link_libraries(tern_${name} PUBLIC tern_${used})
  endforeach()
  target_link_libraries(tern_${name} PUBLIC ${L_LIBS})
  if(L_FREESTANDING)
    target_compile_options(tern_${name} PRIVATE -ffreestanding -O2)
  endif()
  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  set(uses "")
  foreach(used ${L_USES})
    get_target_property(type tern_${used} TYPE)
    if(type STREQUAL "INTERFACE_LIBRARY") # headers only: what counts is what it uses itself
      get_target_property(behind tern_${used} INTERFACE_LINK_LIBRARIES)
      list(TRANSFORM behind REPLACE "^tern_" "")
      list(APPEND uses ${behind})
    else()
      list(APPEND uses ${used})
    endif()
  endforeach()
  list(JOIN uses " " uses)
  tern_layer_line(${name} ${folder} "${uses}")
endfunction()
