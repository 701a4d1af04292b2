"""Floor 3, learning: games that a search plays against itself, a network fitted to them, and what it has gained (``sandriver train``).

Needs the extra ``train`` (NumPy, PyTorch); what it makes, a file of weights, is played with by a plain installation.
"""
