"""The proof: a mirror of the package, floor by floor, and the data and oracles that it is compared with."""
