# A copy of rtl/ with all planted bugs and the generated mistakes (mutate.py), and designs made of it. Read by tests/CMakeLists.txt before the folders.
# SPDX-License-Identifier: Apache-2.0
# Another seed or number makes other mistakes, and other cores.
set(TERN_MUTATION_SEED 1 CACHE STRING "Seed of the generated mistakes in rtl/")
set(TERN_MUTATION_COUNT 300 CACHE STRING "Number of the generated mistakes in rtl/")
find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(TERN_MUTANT_COPY ${CMAKE_CURRENT_BINARY_DIR}/mutants/copy)
set(mutate ${CMAKE_CURRENT_LIST_DIR}/mutate.py)
file(GLOB_RECURSE all_rtl CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/rtl/*.v)
file(MAKE_DIRECTORY ${TERN_MUTANT_COPY})
set(chosen --seed ${TERN_MUTATION_SEED} --count ${TERN_MUTATION_COUNT})
file(WRITE ${TERN_MUTANT_COPY}/../chosen.txt.new "${chosen}\n")
file(COPY_FILE ${TERN_MUTANT_COPY}/../chosen.txt.new ${TERN_MUTANT_COPY}/../chosen.txt ONLY_IF_DIFFERENT)
add_custom_command(OUTPUT ${TERN_MUTANT_COPY}.stamp BYPRODUCTS ${TERN_MUTANT_COPY}/mutants.tsv ${TERN_MUTANT_COPY}/planted.inc ${TERN_MUTANT_COPY}/tern_mutant.sv
  COMMAND ${Python3_EXECUTABLE} -B ${mutate} copy ${TERN_MUTANT_COPY} ${chosen} ${CMAKE_SOURCE_DIR}/rtl
  COMMAND ${CMAKE_COMMAND} -E touch ${TERN_MUTANT_COPY}.stamp
  DEPENDS ${mutate} ${CMAKE_CURRENT_LIST_DIR}/verilog.py ${CMAKE_CURRENT_LIST_DIR}/planted.py ${all_rtl} ${TERN_MUTANT_COPY}/../chosen.txt COMMENT "Making mistakes in a copy of rtl/" VERBATIM)
add_custom_target(tern_mutant_copy DEPENDS ${TERN_MUTANT_COPY}.stamp)

# tern_mutated(LIST-OF-FILES OUT): the same files of the copy
function(tern_mutated list out)
  set(files ${TERN_MUTANT_COPY}/tern_mutant.sv)
  foreach(f ${list})
    string(REPLACE ${CMAKE_SOURCE_DIR}/rtl/ ${TERN_MUTANT_COPY}/rtl/ f ${f})
    foreach(program rom rules) # the programs have mistakes of their own (tests/cosim/rules_plants.txt)
      string(REPLACE ${TERN_MUTANT_COPY}/rtl/small/tern_micro_${program}.v ${CMAKE_SOURCE_DIR}/rtl/small/tern_micro_${program}.v f ${f})
    endforeach()
    list(APPEND files ${f})
  endforeach()
  set(${out} ${files} PARENT_SCOPE)
endfunction()

# tern_add_mutants(name WRAPPER w.cpp TOP top RTL files... ARGUMENTS of Verilator...): a library with the design of the copy, behind tern_dut_<name>
# The library is mutants_<name>.
function(tern_add_mutants name)
  cmake_parse_arguments(ARG "" "WRAPPER;TOP" "RTL;ARGUMENTS" ${ARGN})
  tern_mutated("${ARG_RTL}" files)
  set(work ${CMAKE_CURRENT_BINARY_DIR}/mutated)
  file(MAKE_DIRECTORY ${work})
  add_custom_command(OUTPUT ${work}/${name}.cpp
    COMMAND sh ${CMAKE_SOURCE_DIR}/tests/mutants/verilate.sh ${VERILATOR_BIN} ${name} ${ARG_WRAPPER} ${ARG_TOP} -Wno-fatal -Wno-lint -Wno-style --x-assign unique --x-initial unique
            ${ARG_ARGUMENTS} ${files}
    DEPENDS tern_mutant_copy ${TERN_MUTANT_COPY}.stamp ${CMAKE_SOURCE_DIR}/tests/mutants/verilate.sh ${ARG_WRAPPER} ${CMAKE_SOURCE_DIR}/sim/drive/tern_dut_end.h
    WORKING_DIRECTORY ${work} COMMENT "Verilating the copy with mistakes: ${name}" VERBATIM)
  add_library(mutants_${name} STATIC ${work}/${name}.cpp ${CMAKE_SOURCE_DIR}/tests/mutants/mutant_which.c)
  target_include_directories(mutants_${name} PRIVATE ${CMAKE_SOURCE_DIR}/sim/drive ${CMAKE_SOURCE_DIR}/tests/link ${CMAKE_SOURCE_DIR}/tests/rtl ${work})
  target_compile_options(mutants_${name} PRIVATE -w -O1)
  target_link_libraries(mutants_${name} PRIVATE tern_verilated)
  tern_quick_core(mutants_${name})
endfunction()

