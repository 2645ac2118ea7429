# The verb `tern doctor`: its table of tools comes from cmake/packages.txt.
# SPDX-License-Identifier: Apache-2.0
include(packages)
set(doctor_include ${CMAKE_CURRENT_BINARY_DIR}/doctor)
tern_packages_table(${doctor_include}/tern_packages.inc)
target_sources(tern PRIVATE ${CMAKE_CURRENT_LIST_DIR}/tern_cli_doctor.c)
target_include_directories(tern PRIVATE ${doctor_include})
