"""What mkdocs.yml adds to MkDocs: the pages of the site, and the docstrings of dpcore as Markdown.

    .venv/bin/python -m mkdocs build --strict   write the site to build/site
    .venv/bin/python -m mkdocs serve            show it at http://127.0.0.1:8000, and build it anew after each change

The site has the folders of the repository, so that a link in a document is right in both. Nothing of the program is
imported: mkdocstrings reads the source, where `__all__` says what is public.
"""

import ast
import builtins
import re
from collections.abc import Iterator
from pathlib import Path
from textwrap import indent
from typing import Any

import griffe
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.pages import Page
from pygments.formatters import HtmlFormatter

ROOT = Path(__file__).resolve().parents[1]
_DOCUMENTS = ("README.md", "CONTRIBUTING.md", "docs/*.md", "docs/*.png", "docs/*.css", ".deploy/*")
_MERMAID = re.compile(r"^```mermaid\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_SECTION = re.compile(r"^(\w+)\n-{3,}\n", re.MULTILINE)
_ITEM = re.compile(r"^([\w*, ]+?) : (.+)$", re.MULTILINE)
_MARKUP = re.compile(r"(`[^`]*`|^    .*$)|([\\*_\[<>])", re.MULTILINE)
_ESCAPES = {"<": "&lt;", ">": "&gt;"}
_SOURCE = re.compile(r'<details class="mkdocstrings-source">.*?</details>', re.DOTALL)
_SOURCE_PLACE = re.compile(r"<!-- source (\d+) -->")
_ALIASES = {"np": "import numpy as np", "pd": "import pandas as pd"}


def public_modules() -> dict[str, Path]:
    """Return the modules and packages of dpcore that have a page, by name: those that list what they offer."""
    paths = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
        for path in sorted((ROOT / "dpcore").rglob("*.py"))
        if re.search(r"^__all__ =", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    return {name: path for name, path in sorted(paths.items()) if name != "dpcore" and "._" not in name}


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Return the files of the site: the documents, what they link to, and a page for each public module."""
    paths = {path.relative_to(ROOT).as_posix(): path for pattern in _DOCUMENTS for path in sorted(ROOT.glob(pattern))}
    texts = {f"reference/{name}.md": f"::: {name}\n" for name in public_modules()}
    pages = [{name: f"reference/{name}.md"} for name in public_modules()]
    config.nav = [*(config.nav or []), {"Reference of dpcore": ["docs/reference.md", *pages]}]
    texts["highlight.css"] = HtmlFormatter().get_style_defs(".highlight")
    return Files(
        [
            *(file for file in files if not (Path(config.docs_dir) / file.src_uri).exists()),  # those of the theme
            *(
                File.generated(config, uri, abs_src_path=str(path), inclusion=InclusionLevel.INCLUDED)
                for uri, path in paths.items()
            ),
            *(File.generated(config, uri, content=text) for uri, text in texts.items()),
        ]
    )


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001
    """Return the text of a page: the reference with all modules, and a table for each diagram.

    A browser draws diagrams by a library of 3 MB, which would have to come from the network.
    """
    if page.file.src_uri == "docs/reference.md":
        modules = (
            f"| [{name}](../reference/{name}.md) | {_summary(path)} |" for name, path in public_modules().items()
        )
        markdown = "\n".join([markdown, "| module | content |", "|---|---|", *modules])
    return _MERMAID.sub(lambda match: _arrows_table(match[1]), markdown)


_sources: list[str] = []


def on_page_content(html: str, **_: Any) -> str:
    """Take the source code out of a page until it is written, so that a search finds documents and docstrings only."""

    def place(match: re.Match[str]) -> str:
        _sources.append(match[0])
        return f"<!-- source {len(_sources) - 1} -->"

    return _SOURCE.sub(place, html)


def on_post_page(output: str, **_: Any) -> str:
    """Put the source code back."""
    return _SOURCE_PLACE.sub(lambda match: _sources[int(match[1])], output)


def _summary(path: Path) -> str:
    """Return the first sentences of the docstring of a module, up to an empty line, in a cell of a table."""
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return _literal(docstring.partition("\n\n")[0].replace("\n", " ")).replace("|", r"\|")


def _arrows_table(diagram: str) -> str:
    """Return the arrows of a diagram as a table: a row for each node, with those that it leads to."""
    labels = dict(re.findall(r'^ +(\w+)\["(.*)"\]$', diagram, re.MULTILINE))
    targets: dict[str, list[str]] = {name: [] for name in labels}
    for source, target in re.findall(r"^ +(\w+) --> (\w+)$", diagram, re.MULTILINE):
        targets[source].append(labels[target].partition(":")[0])
    rows = [f"| {_literal(labels[source])} | {_literal(', '.join(names))} |" for source, names in targets.items()]
    return "\n".join(["| part | imports |", "|---|---|", *rows])


class MarkdownDocstrings(griffe.Extension):
    """Makes of each docstring what mkdocstrings renders as it is meant.

    Formulas keep the characters that Markdown would take for markup. The words after `name : ` describe, where numpydoc
    expects a type; the type is that of the signature. The example of a public function has the imports that it needs.
    """

    def on_package(self, *, pkg: griffe.Module, loader: griffe.GriffeLoader, **kwargs: Any) -> None:  # noqa: ARG002
        """Change the docstrings of a package that is loaded."""
        homes: dict[str, list[str]] = {}
        for module in (pkg[name.removeprefix("dpcore.")] for name in public_modules()):
            for name in module.exports or ():
                homes.setdefault(_origin(module, str(name)), []).append(module.path)
        for thing in _things(pkg):
            if docstring := thing.docstring:
                docstring.value = _markdown(docstring.value)
                if thing.is_function and thing.path in homes:
                    docstring.value = _with_imports(docstring.value, thing, homes)


def _origin(module: griffe.Module, name: str) -> str:
    """Return the path of what a name stands for, where it is defined; griffe does not know those of `A, B = 1, 2`."""
    thing = module.members.get(name)
    while isinstance(thing, griffe.Alias):
        try:
            thing = thing.target
        except griffe.AliasResolutionError:
            return thing.target_path
    return thing.path if thing else f"{module.path}.{name}"


def _things(thing: griffe.Object) -> Iterator[griffe.Object]:
    """Yield a module, class or function and what it defines."""
    yield thing
    for member in thing.members.values():
        if isinstance(member, griffe.Object):
            yield from _things(member)


def _markdown(docstring: str) -> str:
    """Return a docstring of numpydoc in which all but its examples is Markdown."""
    lead, *sections = _SECTION.split(docstring)
    parts = [_literal(lead)]
    for name, text in zip(sections[::2], sections[1::2], strict=True):
        match name:
            case "Examples":
                body = text
            case "Returns" | "Yields":
                body = f":\n{indent(_literal(text), '    ')}"
            case "Parameters" | "Attributes" | "Raises" | "Warns":
                lines = _ITEM.sub(r"\1\n    \2", text).splitlines(keepends=True)
                body = "".join(f"    {_literal(line[4:])}" if line.startswith("    ") else line for line in lines)
            case _:
                body = _literal(text)
        parts.append(f"{name}\n{'-' * len(name)}\n{body}")
    return "".join(parts)


def _literal(text: str) -> str:
    """Return a text that Markdown shows as it is, but for its code."""
    return _MARKUP.sub(lambda match: match[1] or _ESCAPES.get(match[2], f"\\{match[2]}"), text)


def _with_imports(docstring: str, function: griffe.Object, homes: dict[str, list[str]]) -> str:
    """Return the docstring of a function, its examples with the imports of public names that they need.

    A name is imported from the module of the function if that has it, else from the first module that has it.
    """
    text, heading, examples = docstring.partition("Examples\n--------\n")
    names = free_names("\n".join(line[4:] for line in examples.splitlines() if line.startswith((">>>", "..."))))
    imports: dict[str, list[str]] = {}
    for name in sorted(names - set(_ALIASES)):
        origin = _origin(function.module, name)
        offers = homes.get(origin) or [origin.rpartition(".")[0]]
        own = [module for module in homes[function.path] if module in offers]
        imports.setdefault((own or offers)[0], []).append(name)
    lines = [_ALIASES[name] for name in sorted(names & set(_ALIASES))]
    lines += [f"from {module} import {', '.join(listed)}" for module, listed in sorted(imports.items())]
    return "".join([text, heading, *(f">>> {line}\n" for line in lines), examples])


def free_names(code: str) -> set[str]:
    """Return the names that a program uses and does not bind."""
    nodes = list(ast.walk(ast.parse(code)))
    names = [node for node in nodes if isinstance(node, ast.Name)]
    bound = {name.id for name in names if isinstance(name.ctx, ast.Store)}
    bound |= {node.arg for node in nodes if isinstance(node, ast.arg)}
    bound |= {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
    bound |= {
        alias.asname or alias.name
        for node in nodes
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    return {name.id for name in names} - bound - set(dir(builtins))
