# The verb `tern synth`: runs Yosys, nextpnr and packers on the Verilog of this tree (another tree: the environment's TERN_SHARE).
# SPDX-License-Identifier: Apache-2.0
set(synth ${CMAKE_CURRENT_LIST_DIR}/../synth)
target_sources(tern PRIVATE ${CMAKE_CURRENT_LIST_DIR}/tern_cli_synth.c ${synth}/tern_device.c ${synth}/tern_resident.c ${synth}/tern_synth.c ${synth}/tern_synth_script.c ${synth}/tern_synth_report.c)
set_source_files_properties(${synth}/tern_resident.c ${synth}/tern_synth.c ${synth}/tern_synth_script.c TARGET_DIRECTORY tern PROPERTIES COMPILE_DEFINITIONS TERN_SHARE_DIR="${CMAKE_SOURCE_DIR}")
target_include_directories(tern PRIVATE ${CMAKE_CURRENT_LIST_DIR}/.. ${CMAKE_CURRENT_LIST_DIR} ${synth})
