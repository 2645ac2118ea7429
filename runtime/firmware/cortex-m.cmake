# Toolchain of ARM Cortex-M: Debian package gcc-arm-none-eabi. -DTERN_CPU=cortex-m0plus, -m3, -m4, -m7
# SPDX-License-Identifier: Apache-2.0
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR arm)
set(CMAKE_C_COMPILER arm-none-eabi-gcc)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES TERN_CPU)
set(TERN_CPU cortex-m4 CACHE STRING "processor")
set(CMAKE_C_FLAGS_INIT "-mcpu=${TERN_CPU} -mthumb")
set(TERN_BOARD cortex-m)
set(TERN_BOARD_LINK "")
