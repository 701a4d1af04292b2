"""What holds for every test: properties are judged by what they find, never by how long a busy machine took."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

settings.register_profile("sandriver", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("sandriver"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "sandriver")
