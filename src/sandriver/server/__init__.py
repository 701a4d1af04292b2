"""Floor 5, the server: HTTP and WebSocket in front of the tables. It turns requests into commands and knows no game."""
