rtl/mem/tern_ram.v
rtl/bridge/tern_bus.v
rtl/bridge/tern_axi4lite.v
rtl/bridge/tern_wishbone.v
rtl/bridge/tern_share.v
rtl/bridge/tern_axis_in.v
rtl/bridge/tern_axis_out.v
rtl/bridge/tern_axis.v
