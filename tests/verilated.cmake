# tern_verilated: Verilator's own run-time code, compiled once for all simulated cores. Behind find_package(verilator).
# SPDX-License-Identifier: Apache-2.0
#
# tern_use_verilated(TARGET): takes the copy of that code that verilate() has put into the target out of it again.
# tern_one_piece(TARGET): the sources of the target, as verilate() made them, become one file, which compiles several
# times faster than its parts. In it what runs once for each core (*__Slow.cpp) comes last and is not optimised.
# tern_quick_core(TARGET): the target, a simulated core, is compiled by clang++ if that is there (clang.sh).
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND NOT CMAKE_CXX_COMPILER_LAUNCHER AND NOT "${CMAKE_CXX_FLAGS}" MATCHES "-fsanitize|--coverage")
  set(TERN_QUICK_CORE sh ${CMAKE_CURRENT_LIST_DIR}/clang.sh)
endif()
function(tern_quick_core target)
  if(TERN_QUICK_CORE)
    set_target_properties(${target} PROPERTIES CXX_COMPILER_LAUNCHER "${TERN_QUICK_CORE}")
  endif()
endfunction()
if(NOT TARGET tern_verilated)
  find_package(Threads REQUIRED)
  add_library(tern_verilated STATIC ${VERILATOR_ROOT}/include/verilated.cpp ${VERILATOR_ROOT}/include/verilated_threads.cpp)
  target_include_directories(tern_verilated SYSTEM PUBLIC ${VERILATOR_ROOT}/include ${VERILATOR_ROOT}/include/vltstd)
  target_compile_options(tern_verilated PRIVATE -w -O1)
  target_compile_definitions(tern_verilated PUBLIC VL_USER_FINISH VL_USER_FATAL) # sim/drive/tern_dut_end.h
  target_link_libraries(tern_verilated PUBLIC Threads::Threads)
  tern_quick_core(tern_verilated)
endif()
function(tern_use_verilated target)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources EXCLUDE REGEX "/include/verilated[a-z_]*[.]cpp$")
  set_target_properties(${target} PROPERTIES SOURCES "${sources}")
  target_link_libraries(${target} PUBLIC tern_verilated)
  tern_quick_core(${target})
endfunction()
function(tern_one_piece target)
  get_target_property(sources ${target} SOURCES)
  set(once ${sources})
  list(FILTER once INCLUDE REGEX "__Slow[.]cpp$")
  list(FILTER sources EXCLUDE REGEX "__Slow[.]cpp$")
  list(FILTER sources INCLUDE REGEX "[.]cpp$")
  set(text "")
  foreach(file ${sources})
    string(APPEND text "#include \"${file}\"\n")
  endforeach()
  string(APPEND text "#ifdef __clang__\n#pragma clang optimize off\n#else\n#pragma GCC optimize(\"O0\")\n"
    "#pragma GCC diagnostic ignored \"-Wattributes\"\n#endif\n") # declarations after definitions have other attributes
  foreach(file ${once})
    string(APPEND text "#include \"${file}\"\n")
  endforeach()
  set(piece ${CMAKE_CURRENT_BINARY_DIR}/${target}.cpp)
  file(CONFIGURE OUTPUT ${piece} CONTENT "${text}" @ONLY)
  # headers: the build makes them first, as it does with sources, but compiles the piece
  set_source_files_properties(${sources} ${once} PROPERTIES HEADER_FILE_ONLY ON)
  target_sources(${target} PRIVATE ${piece})
endfunction()
