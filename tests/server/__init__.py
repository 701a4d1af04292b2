"""Tests of floor 5: HTTP, WebSocket, identities, limits, the client's files, whole games over the wire."""
