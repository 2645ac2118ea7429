rtl/boards/tern_chip.v
rtl/boards/tern_pll_ecp5.v
rtl/boards/tern_pll_ice40.v
