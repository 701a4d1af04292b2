"""Sandriver: play, study and automate Mandala and Mandala Stones, from the rules up to the table in the browser."""
