"""Tests of floor 4, the tables."""
