"""Floor 4, tables: the life of a table as a log of entries, from its opening to its rematch. It knows games only by their contract."""
