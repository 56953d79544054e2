"""Follow the container file step by step without building a container."""

import ast
import shutil
import subprocess
import sys
from pathlib import Path

from tests.browser.conftest import ROOT

FILE = ROOT / ".deploy" / "Containerfile"


def instructions() -> list[tuple[str, str]]:
    """Return the instructions of the file with their arguments, in order."""
    lines = [line for line in FILE.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    whole = "\n".join(lines).replace("\\\n", " ").splitlines()
    return [(line.split(maxsplit=1)[0], line.split(maxsplit=1)[1]) for line in whole]


def all_of(name: str) -> list[str]:
    return [text for instruction, text in instructions() if instruction == name]


def only(name: str) -> str:
    (text,) = all_of(name)
    return text


def environment() -> dict[str, str]:
    """Return the environment variables that the file sets."""
    return dict(setting.split("=", 1) for text in all_of("ENV") for setting in text.split())


def copied(folder: Path) -> None:
    """Copy the files that the container file copies into an empty folder, and compile what it compiles.

    What Python has compiled of them already comes along, so that only the rest takes time.
    """
    for text in all_of("COPY"):
        source, target = text.split()
        if (ROOT / source).is_dir():
            shutil.copytree(ROOT / source, folder / target)
        else:
            place = folder / target / source if target.endswith("/") else folder / target
            place.parent.mkdir(exist_ok=True)
            shutil.copy(ROOT / source, place)
    for command in all_of("RUN")[1:]:
        subprocess.run([sys.executable, *command.split()[1:]], cwd=folder, check=True)


def imported(folder: Path) -> set[str]:
    """Return the modules that the app in a folder imports at its start."""
    waiting = [
        folder / "app.py",
        folder / "start.py",
        *folder.glob("pages/*.py"),
        *folder.glob("pages/*/page.py"),
    ]
    modules: set[str] = set()
    read: set[Path] = set()
    while waiting:
        path = waiting.pop()
        if path in read or not path.is_file():
            continue
        read.add(path)
        names = imports(path)
        modules |= names
        places = [folder.joinpath(*name.split(".")) for name in names]
        waiting += [path for place in places for path in (place.with_suffix(".py"), place / "__init__.py")]
    return modules


def imports(path: Path) -> set[str]:
    """Return the imports at the top of a module; a name from a package may be a module too."""
    names = set()
    for node in ast.walk(
        ast.Module(
            [
                node
                for node in ast.parse(path.read_text(encoding="utf-8")).body
                if not isinstance(node, ast.FunctionDef)
            ],
            [],
        )
    ):
        if isinstance(node, ast.ImportFrom):
            names |= {str(node.module), *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
    return names
