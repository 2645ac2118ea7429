rtl/boards/tern_chip.v
