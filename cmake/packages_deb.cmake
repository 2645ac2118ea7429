# Debian packages: cmake --workflow --preset deb. docs/40-setup.md, "Packages".
# SPDX-License-Identifier: Apache-2.0
#
# tern: the command and its share folder; libtern0: libtern.so; libtern-dev: what programs are built with; tern-doc:
# the pages. Names follow the SONAME. What a package depends on is computed from its programs and libraries
# (dpkg-shlibdeps).
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME tern)
set(CPACK_PACKAGE_VENDOR Tern)
set(TERN_MAINTAINER "The Tern authors <maintainers@tern.invalid>" CACHE STRING "Name and address in packages")
set(CPACK_PACKAGE_CONTACT ${TERN_MAINTAINER})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "probabilistic spiking networks that learn on FPGAs")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_CHECKSUM SHA256)
set(CPACK_STRIP_FILES TRUE)
set(CPACK_COMPONENTS_ALL command library development documentation)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/debian/finish.cmake)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION TRUE)
set(soversion ${PROJECT_VERSION_MAJOR})
set(about "Tern turns a short Lua script into a network of spiking neurons that learns
while it runs, once as C and once as Verilog for an FPGA, and shows that both
compute the same bits at every step.

")

set(CPACK_DEBIAN_COMMAND_PACKAGE_NAME tern)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SECTION electronics)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_COMMAND_PACKAGE_RECOMMENDS "verilator (>= 5.006), g++, make")
set(CPACK_DEBIAN_COMMAND_PACKAGE_SUGGESTS "yosys, nextpnr-ice40, fpga-icestorm, gnuplot-nox, tern-doc")
set(CPACK_COMPONENT_COMMAND_DESCRIPTION "${about}This package has the command, the Verilog, board files and models.")

set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libtern${soversion})
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/package/shlibs
  ${PROJECT_SOURCE_DIR}/cmake/debian/triggers)
file(WRITE ${PROJECT_BINARY_DIR}/package/shlibs
  "libtern ${soversion} libtern${soversion} (>= ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})\n")
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "${about}This package has the shared library.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libtern-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libtern${soversion} (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS
  "tern-doc, zlib1g-dev, nettle-dev, liblua5.4-dev, libhdf5-dev, liblz4-dev, libzstd-dev")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "${about}This package has headers, archives, pkg-config and CMake files.
An archive that reads files needs the packages that are suggested; the core
needs none.")

set(CPACK_DEBIAN_DOCUMENTATION_PACKAGE_NAME tern-doc)
set(CPACK_DEBIAN_DOCUMENTATION_PACKAGE_SECTION doc)
set(CPACK_DEBIAN_DOCUMENTATION_PACKAGE_ARCHITECTURE all)
set(CPACK_COMPONENT_DOCUMENTATION_DESCRIPTION "${about}This package has the pages.")
include(CPack)
