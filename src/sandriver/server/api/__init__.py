"""The HTTP interface: what it takes and gives (``wire``) and the endpoints, one module a subject."""
