# Toolchain of RV32IMC: Debian package gcc-riscv64-unknown-elf.
# SPDX-License-Identifier: Apache-2.0
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR riscv32)
set(CMAKE_C_COMPILER riscv64-unknown-elf-gcc)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_C_FLAGS_INIT "-march=rv32imc -mabi=ilp32")
set(TERN_BOARD rv32)
set(TERN_BOARD_LINK -Wl,--no-warn-rwx-segments)
