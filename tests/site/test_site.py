"""The site of the documents is built without a warning, whole, as it was written, and needs nothing from elsewhere.

`.ci/run` runs these tests in a step of their own, since the build takes more processor time than any other test.
"""

import inspect
import posixpath
import re
import subprocess
import sys
from html import unescape
from pathlib import Path
from urllib.parse import unquote

import pytest

from docs.site import free_names, public_modules
from tests.test_examples import modules, public_functions
from tests.test_public_names import is_public, names_used

ROOT = Path(__file__).resolve().parents[2]
_SPACE = re.compile(r"[`\s\u200b]")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Return the folder of the site as the command of docs/development.md builds it."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stdout + built.stderr
    return folder


@pytest.fixture(scope="module")
def pages(site):
    """Return the text of each page in HTML, by its path in the site."""
    return {path.relative_to(site).as_posix(): path.read_text(encoding="utf-8") for path in site.rglob("*.html")}


def text_of(html):
    """Return what a reader sees of a page, without its spaces, as Markdown may wrap lines anew."""
    return _SPACE.sub("", unescape(re.sub(r"<[^>]*>", "", html)))


def entry_of(html, identifier):
    """Return the entry of a function on its page, up to the source code."""
    _, _, rest = html.partition(f'<h2 id="{identifier}"')
    return rest.partition('<details class="mkdocstrings-source">')[0]


def lost_lines(docstring, text):
    """Return the lines of a docstring whose words are not in the text of a page, `- ` and `name : ` left out."""
    words = (line.partition(" : ")[2] or line.removeprefix("- ") for line in inspect.cleandoc(docstring).splitlines())
    return [line for line in words if set(line) - {"-"} and _SPACE.sub("", line) not in text]


def test_the_site_has_every_document_and_a_page_for_each_public_module(pages):
    documents = {path.relative_to(ROOT).with_suffix(".html").as_posix() for path in (ROOT / "docs").glob("*.md")}
    names = {module.__name__ for module in modules()}
    assert set(public_modules()) == names
    reference = {f"reference/{name}.html" for name in names}
    assert documents | reference | {"index.html", "CONTRIBUTING.html"} <= set(pages)


@pytest.mark.parametrize("module", modules(), ids=lambda module: module.__name__)
def test_the_reference_shows_each_docstring_as_it_is_written(pages, module):
    html = pages[f"reference/{module.__name__}.html"]
    whole = text_of(html)
    classes = [thing for name in module.__all__ if inspect.isclass(thing := getattr(module, name))]
    lost = {thing.__name__: lost_lines(thing.__doc__, whole) for thing in (module, *classes)}
    for name, function in public_functions(module).items():
        lost[name] = lost_lines(function.__doc__, text_of(entry_of(html, f"{module.__name__}.{name}")))
    assert {name: lines for name, lines in lost.items() if lines} == {}


@pytest.mark.parametrize("module", modules(), ids=lambda module: module.__name__)
def test_an_example_of_the_reference_imports_all_that_it_uses_from_public_modules(pages, module):
    html = pages[f"reference/{module.__name__}.html"]
    for name in public_functions(module):
        _, _, examples = entry_of(html, f"{module.__name__}.{name}").partition("Examples:")
        lines = unescape(re.sub(r"<[^>]*>", "", examples)).splitlines()
        code = "\n".join(line.strip()[4:] for line in lines if line.strip().startswith((">>>", "...")))
        used = names_used(code)
        assert f"{module.__name__}.{name}" in used
        assert not free_names(code), name
        assert all(is_public(dotted) for dotted in used), name


def test_every_link_inside_the_site_leads_to_something(site, pages):
    anchors = {path: {"", *re.findall(r'\bid="([^"]+)"', html)} for path, html in pages.items() if path != "404.html"}
    links = {(path, link) for path in anchors for link in re.findall(r'\bhref="(?!https?:)([^"]+)"', pages[path])}
    assert len(links) > 1000
    wrong = []
    for path, link in links:
        target, _, anchor = unquote(unescape(link)).partition("#")
        name = posixpath.normpath(posixpath.join(posixpath.dirname(path), target)) if target else path
        wrong += [] if (site / name).is_file() and anchor in anchors.get(name, {""}) else [f"{path}: {link}"]
    assert wrong == []


def test_a_browser_loads_nothing_of_the_site_from_elsewhere(site, pages):
    loads = re.compile(r"""\bsrc=["']?(?:https?:)?//|<link[^>]*href=["']?(?:https?:)?//""")
    styles = re.compile(r"""url\(["']?(?:https?:)?//|@import""")
    assert [path for path, html in pages.items() if loads.search(html)] == []
    assert [path.name for path in site.rglob("*.css") if styles.search(path.read_text(encoding="utf-8"))] == []
