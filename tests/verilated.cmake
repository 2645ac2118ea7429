# tern_verilated: Verilator's own run-time code, compiled once for all simulated cores. Behind find_package(verilator).
# SPDX-License-Identifier: Apache-2.0
#
# tern_quick_core(TARGET): the target, a simulated core, is compiled by clang++ if that is there (clang.sh).
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND NOT CMAKE_CXX_COMPILER_LAUNCHER AND NOT "${CMAKE_CXX_FLAGS}" MATCHES "-fsanitize|--coverage")
  set(TERN_QUICK_CORE sh ${CMAKE_CURRENT_LIST_DIR}/clang.sh ${CMAKE_BINARY_DIR}/tests/verilated)
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
  # whether an atomic number needs no lock is asked of libatomic where the compiler does not know
  include(CheckCXXSourceCompiles)
  set(CMAKE_REQUIRED_LIBRARIES atomic)
  check_cxx_source_compiles("int main() { return 0; }" TERN_HAVE_LIBATOMIC)
  unset(CMAKE_REQUIRED_LIBRARIES)
  target_link_libraries(tern_verilated PUBLIC Threads::Threads $<$<BOOL:${TERN_HAVE_LIBATOMIC}>:atomic>)
  tern_quick_core(tern_verilated)
endif()
