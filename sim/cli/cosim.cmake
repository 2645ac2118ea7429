# The verb `tern cosim`: builds cores at run time from the sources in this tree (another tree: the environment's TERN_SHARE).
# SPDX-License-Identifier: Apache-2.0
target_sources(tern PRIVATE ${CMAKE_CURRENT_LIST_DIR}/tern_cli_cosim.c ${CMAKE_CURRENT_LIST_DIR}/tern_cosim_run.c ${CMAKE_CURRENT_LIST_DIR}/tern_core_cache.c
               ${CMAKE_CURRENT_LIST_DIR}/tern_netlist.c ${CMAKE_CURRENT_LIST_DIR}/tern_tool.c ${CMAKE_CURRENT_LIST_DIR}/tern_trust.c ${CMAKE_CURRENT_LIST_DIR}/tern_cli_board.c ${CMAKE_CURRENT_LIST_DIR}/tern_board_model.c)
set_source_files_properties(${CMAKE_CURRENT_LIST_DIR}/tern_core_cache.c TARGET_DIRECTORY tern PROPERTIES COMPILE_DEFINITIONS TERN_SHARE_DIR="${CMAKE_SOURCE_DIR}")
target_include_directories(tern PRIVATE ${CMAKE_SOURCE_DIR}/runtime/cli)
target_link_libraries(tern PRIVATE tern_sim PkgConfig::NETTLE ${CMAKE_DL_LIBS})
