"""The real hardware, one file a device."""
