"""Second implementations of the rules, for comparison only; nothing in the package may import them."""
