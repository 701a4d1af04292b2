"""The table service under simulation: virtual time, seeded faults and interleavings, and what must hold after each schedule."""
