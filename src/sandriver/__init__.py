"""Sandriver: play, study and automate Mandala, from the rules up to the table in the browser."""
