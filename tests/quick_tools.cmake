# Yosys and Verilator spend a quarter to a third of their time in malloc: with jemalloc they need that much less.
# SPDX-License-Identifier: Apache-2.0
#
# ${TERN_QUICK_TOOLS} holds scripts with the names of these tools; it comes first where CMake looks for programs and on
# the PATH of every test. Without jemalloc there are no scripts, and the tools themselves are found. A library that a test
# loads by itself (tests/faults) stays alone: two that replace malloc do not go together.
set(TERN_QUICK_TOOLS ${CMAKE_BINARY_DIR}/tests/tools)
file(REMOVE_RECURSE ${TERN_QUICK_TOOLS})
find_library(TERN_JEMALLOC NAMES libjemalloc.so.2 libjemalloc.so) # never the archive
if(TERN_JEMALLOC)
  if(VERILATOR_BIN) # the user's choice
    set(TERN_TOOL_verilator_bin ${VERILATOR_BIN})
  endif()
  foreach(tool yosys yosys-abc verilator verilator_bin) # yosys-abc: formal.sh looks for it beside yosys
    find_program(TERN_TOOL_${tool} ${tool} HINTS ENV VERILATOR_ROOT PATH_SUFFIXES bin)
    if(TERN_TOOL_${tool})
      file(WRITE ${TERN_QUICK_TOOLS}/${tool}
        "#!/bin/sh\nLD_PRELOAD=\"\${LD_PRELOAD:-${TERN_JEMALLOC}}\" exec \"${TERN_TOOL_${tool}}\" \"$@\"\n")
      file(CHMOD ${TERN_QUICK_TOOLS}/${tool} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
        WORLD_READ WORLD_EXECUTE)
    endif()
  endforeach()
  list(PREPEND CMAKE_PROGRAM_PATH ${TERN_QUICK_TOOLS})
  if(TERN_TOOL_verilator_bin) # Verilator's own package looks beside its files only
    set(VERILATOR_BIN ${TERN_QUICK_TOOLS}/verilator_bin)
  endif()
  # read by ctest itself, which hands its environment to the tests
  file(WRITE ${TERN_QUICK_TOOLS}/path.cmake "set(ENV{PATH} \"${TERN_QUICK_TOOLS}:\$ENV{PATH}\")\n")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${TERN_QUICK_TOOLS}/path.cmake)
endif()
