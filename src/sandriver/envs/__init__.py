"""Floor 3, environments: the games for those who train programs. They need the extra ``rl`` (``openspiel`` for that library).

``batch.BatchEnv`` steps thousands of games at once; ``mandala_v0`` and ``stones_v0`` are PettingZoo environments; ``gym`` registers
Gymnasium environments with a bot as the opponent; ``openspiel`` registers both games with OpenSpiel.
"""
