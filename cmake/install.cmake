# What `cmake --install` and the packages hold, and where. docs/40-setup.md, "Installing".
# SPDX-License-Identifier: Apache-2.0
#
# Components: command (the program, its pages, the share folder), library (libtern.so), development (headers, archives,
# tern.pc, TernConfig.cmake), documentation.
if(NOT TERN_INSTALL)
  return()
endif()
include(CMakePackageConfigHelpers)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME command)
set(share ${CMAKE_INSTALL_DATADIR}/tern)
set(config ${CMAKE_INSTALL_LIBDIR}/cmake/Tern)

# ---- libraries and headers ----
install(FILES ${TERN_PUBLIC_HEADERS} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tern COMPONENT development)
install(TARGETS tern_core ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
set(modules "")
set(libs_private "")
set(soname "")
if(NOT TERN_CORE_ONLY)
  install(TARGETS tern_archive ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
  if(TERN_BUILD_SHARED)
    install(TARGETS tern_shared LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library
      NAMELINK_COMPONENT development)
    set(soname libtern.so.${PROJECT_VERSION_MAJOR})
  endif()
  list(APPEND modules nettle)
  foreach(name HDF5 LZ4 ZSTD)
    if(TERN_HAVE_${name})
      list(APPEND modules ${TERN_MODULE_${name}})
    endif()
  endforeach()
  # Flags, not Requires.private: who links libtern.so needs none of these libraries' headers and .pc files.
  foreach(prefix NETTLE TERN_HDF5 TERN_LZ4 TERN_ZSTD)
    if(${prefix}_FOUND AND NOT "${TERN_HAVE_${prefix}}" STREQUAL "0")
      list(APPEND libs_private ${${prefix}_LDFLAGS})
    endif()
  endforeach()
  foreach(file ${LUA_LIBRARIES})
    cmake_path(GET file STEM LAST_ONLY stem)
    string(REGEX REPLACE "^lib" "-l" stem ${stem})
    list(APPEND libs_private ${stem})
  endforeach()
  list(APPEND libs_private -lz -pthread -lm)
endif()
list(JOIN libs_private " " libs_private)

# Every path in them is relative to the file itself, so that the tree may be moved.
file(RELATIVE_PATH relative_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" relative_prefix "${relative_prefix}")
file(RELATIVE_PATH relative_include ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_INCLUDEDIR})
file(RELATIVE_PATH relative_lib ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_LIBDIR})
set(pc_files tern-core)
if(NOT TERN_CORE_ONLY)
  list(APPEND pc_files tern)
endif()
foreach(name ${pc_files})
  configure_file(${PROJECT_SOURCE_DIR}/cmake/${name}.pc.in ${PROJECT_BINARY_DIR}/package/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/package/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
    COMPONENT development)
endforeach()
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/TernConfig.cmake.in
  ${PROJECT_BINARY_DIR}/package/TernConfig.cmake
  INSTALL_DESTINATION ${config} PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/TernConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/package/TernConfig.cmake ${PROJECT_BINARY_DIR}/package/TernConfigVersion.cmake
  DESTINATION ${config} COMPONENT development)
if(TERN_CORE_ONLY)
  return()
endif()

# ---- the command and its share folder ----
install(TARGETS tern RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT command)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/rtl ${PROJECT_SOURCE_DIR}/models DESTINATION ${share} COMPONENT command)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/sim DESTINATION ${share} COMPONENT command
  FILES_MATCHING REGEX "/drive/[^/]*dut[^/]*$" REGEX "/netlist/[^/]*$" REGEX "/eda/[^/]*[.]v$"
  PATTERN run EXCLUDE PATTERN experiment EXCLUDE)
# Pages and completions are made by the build, where it makes them.
install(DIRECTORY ${PROJECT_BINARY_DIR}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT command OPTIONAL
  FILES_MATCHING PATTERN "*.1")
install(DIRECTORY ${PROJECT_BINARY_DIR}/completions/bash/
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
  COMPONENT command OPTIONAL)
install(DIRECTORY ${PROJECT_BINARY_DIR}/completions/zsh/ DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions
  COMPONENT command OPTIONAL)
install(DIRECTORY ${PROJECT_BINARY_DIR}/completions/fish/ DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d
  COMPONENT command OPTIONAL)

# ---- pages ----
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs COMPONENT documentation)
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/NOTICE ${PROJECT_SOURCE_DIR}/LICENSE
  DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT documentation)

if(PROJECT_IS_TOP_LEVEL)
  include(packages_deb)
endif()
