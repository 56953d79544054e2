"""What docs/ shows of the code: the diagrams of its imports, the tables of its modules and sections, and quotations."""

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from functools import cache, partial
from pathlib import Path
from textwrap import dedent, indent

from pages.framework.layout.page import load_page
from pages.shared import site_map

ROOT = Path(__file__).resolve().parents[1]
_BLOCK = re.compile(r"(^( *)<!-- made by docs.build: (\w+) -->\n).*?(^ *<!-- end -->)", re.DOTALL | re.MULTILINE)
_NOISE, _KIND = "tests/new_noise.py", "tests/pages/plan/new_kind.py"
_QUOTED = {
    "noise": ("tests/logistic_noise.py", ""),
    "calibration": (_NOISE, "LOGISTIC"),
    "family": (_NOISE, "FAMILY"),
    "look": (_NOISE, "look"),
    "entry": (_NOISE, "entry"),
    "statistic": (_KIND, "Difference"),
    "program": (_KIND, "difference"),
    "quantity": (_KIND, "WEIGHT"),
    "kind": (_KIND, "KIND"),
}
"""The code that docs/recipes.md quotes: of a module all, or what has a name there."""
_PARTS = {
    "scripts": "app.py, start.py, pages/N_*.py: the server, and page scripts of Streamlit",
    "topics": "pages/TOPIC: one folder a page",
    "shared": "pages/shared: what topics share about differential privacy",
    "framework": "pages/framework: parameters, link, session, rendering, chart, export, layout, browser",
    "dpcore": "dpcore: the computation",
}
_ROLES = "page", "section", "figures", "text", "code", "results", "parameters", "widgets"
_FEW = 3  # imports between two roles that are left out of the diagram


_STRINGS_AND_COMMENTS = re.compile(
    r'"""(?:\\.|[^\\])*?"""|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|#[^\n]*', re.DOTALL
)
_IMPORTS = re.compile(r"^[ ]*((?:from [.\w]+ import (?:\([^)]*\)|[^\n(]+))|import [^\n]+)$", re.MULTILINE)


@cache
def bare_code(path: Path) -> str:
    """Return the text of a module without its strings and comments."""
    return _STRINGS_AND_COMMENTS.sub("", path.read_text(encoding="utf-8"))


@cache
def imports_of(path: Path) -> tuple[str, ...]:
    """Return the names of the modules that a module imports, wherever in it."""
    names: list[str] = []
    statements = "\n".join(match.strip() for match in _IMPORTS.findall(bare_code(path)))
    for node in ast.parse(statements).body:
        if isinstance(node, ast.Import):
            names += (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names += (f"{node.module}.{alias.name}" for alias in node.names)
    return tuple(names)


def module_name(path: Path) -> str:
    """Return the name by which a module is imported."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


def framework_chains() -> dict[str, list[str]]:
    """Return the longest chain of imports inside the framework that begins at each of its modules, by module."""
    paths = {module_name(path): path for path in (ROOT / "pages" / "framework").rglob("*.py")}
    names = {
        module: {part for name in imports_of(path) for part in (name, name.rpartition(".")[0]) if part in paths}
        for module, path in paths.items()
    }
    chains: dict[str, list[str]] = {}

    def chain(module: str) -> list[str]:
        if module not in chains:
            chains[module] = [module, *max((chain(name) for name in names[module] - {module}), key=len, default=[])]
        return chains[module]

    return {module: chain(module) for module in paths}


def structure(text: str) -> str:
    """Return a document with its diagrams, tables and quotations as the program is now."""
    blocks = {"parts": _parts_diagram, "roles": _roles_diagram, "levels": _levels_table, "sections": _sections_table}
    blocks |= {name: partial(_quotation, *source) for name, source in _QUOTED.items()}
    return _BLOCK.sub(lambda match: match[1] + indent(blocks[match[3]](), match[2]) + match[4], text)


def _quotation(path: str, name: str) -> str:
    """Return the code of a module, or of what has a name in it, as a block of Markdown."""
    text = (ROOT / path).read_text(encoding="utf-8")
    if name:
        (lines,) = (lines for found, lines in _definitions(text) if found == name)
        text = dedent("".join(text.splitlines(keepends=True)[lines]))
    return f"```python\n{text}```\n"


def _definitions(text: str) -> Iterator[tuple[str, slice]]:
    """Yield the name of each class, function and variable of a module, with the lines that define it."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            first = min(part.lineno for part in (node, *node.decorator_list))
            yield node.name, slice(first - 1, node.end_lineno)
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            yield node.targets[0].id, slice(node.lineno - 1, node.end_lineno)


def _part_of(module: str) -> str:
    """Return the part of the program in which a module lies; an empty text for a library."""
    first, second = (*module.split("."), "")[:2]
    if first == "dpcore":
        return first
    if first == "app" or (first == "pages" and second[:1].isdigit()):
        return "scripts"
    return "" if first != "pages" else second if second in _PARTS else "topics"


def _parts_diagram() -> str:
    paths = [ROOT / "app.py", ROOT / "start.py", *(ROOT / "pages").rglob("*.py"), *(ROOT / "dpcore").rglob("*.py")]
    edges = {(_part_of(module_name(path)), _part_of(name)) for path in paths for name in imports_of(path)}
    return _diagram(_PARTS, edges)


def _roles_diagram() -> str:
    paths = [path for path in (ROOT / "pages").rglob("*.py") if _part_of(module_name(path)) == "topics"]
    edges: Counter[tuple[str, str]] = Counter()
    for path in paths:
        for name in imports_of(path):
            parts = [
                part for part in (name, name.rpartition(".")[0]) if (ROOT / f"{part.replace('.', '/')}.py").exists()
            ]
            if parts and _part_of(parts[0]) == "topics":
                edges[_role_of(path.stem), _role_of(parts[0].rpartition(".")[2])] += 1
    return _diagram({role: f"{role}.py" for role in _ROLES}, [edge for edge, n in edges.items() if n > _FEW])


def _role_of(stem: str) -> str:
    """Return the role of a file, which is its name or the last word of it."""
    return stem.rpartition("_")[2]


def _diagram(nodes: dict[str, str], edges: Iterable[tuple[str, str]]) -> str:
    """Return a Mermaid diagram with an arrow for each edge between two of the nodes."""
    arrows = sorted(edge for edge in edges if edge[0] != edge[1] and {*edge} <= nodes.keys())
    lines = [f'    {key}["{label}"]' for key, label in nodes.items()]
    lines += [f"    {start} --> {end}" for start, end in arrows]
    return "\n".join(["```mermaid", "flowchart TD", *lines, "```", ""])


def _levels_table() -> str:
    modules = defaultdict(list)
    for module, chain in framework_chains().items():
        modules[len(chain)].append(module.removeprefix("pages.framework."))
    rows = [f"| {level} | {_listed(modules[level])} |" for level in sorted(modules, reverse=True)]
    return "\n".join(["| level | modules |", "|---|---|", *rows, ""])


def _listed(modules: Iterable[str]) -> str:
    """Return the names of modules by folder."""
    folders = defaultdict(list)
    for module in sorted(modules):
        folder, _, name = module.rpartition(".")
        folders[folder.replace(".", "/")].append(name)
    return "; ".join(
        (f"`{folder}/` " if folder else "") + ", ".join(names) for folder, names in sorted(folders.items())
    )


def _sections_table() -> str:
    """Return a row for each section: its link, its name on the screen, and its folder or module."""
    rows = []
    for page in site_map.PAGES:
        for section in load_page(page).sections:
            place = section.parts.__module__.removesuffix(".section").replace(".", "/")
            place += "/" if (ROOT / place).is_dir() else ".py"
            rows.append(f"| `/{page.path}?section={section.key}` | {section.name} | `{place}` |")
    return "\n".join(["| link | section | where |", "|---|---|---|", *rows, ""])
