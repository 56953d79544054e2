"""The structure of the code base: which part may import which, and examples in docstrings that hold."""

import ast
import doctest
import re
from collections import defaultdict
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

from docs.structure import bare_code, framework_chains, imports_of, module_name

ROOT = Path(__file__).parents[1]
PAGES = [path for path in sorted((ROOT / "pages").rglob("*.py")) if path.parent.name != "pages"]


def test_the_framework_knows_nothing_of_differential_privacy():
    wrong = [
        f"{path.relative_to(ROOT)} imports {module}"
        for path in sorted((ROOT / "pages/framework").rglob("*.py"))
        for module in imports_of(path)
        if module.split(".")[0] == "dpcore" or (module.startswith("pages.") and module.split(".")[1] != "framework")
    ]
    assert not wrong, f"{wrong}: take it from the record of the site (pages/framework/site.py) instead"


def test_dpcore_imports_no_page():
    wrong = [
        f"{path.relative_to(ROOT)} imports {module}"
        for path in sorted((ROOT / "dpcore").rglob("*.py"))
        for module in imports_of(path)
        if module.split(".")[0] in ("pages", "streamlit", "plotly")
    ]
    assert not wrong, f"{wrong}: what a page needs is computed in dpcore and shown in pages"


WITH_EXAMPLES = [path for path in PAGES if ">>>" in path.read_text(encoding="utf-8")]


def test_the_examples_of_the_docstrings_hold():
    results = {module_name(path): doctest.testmod(import_module(module_name(path))) for path in WITH_EXAMPLES}
    assert len(results) > 40
    assert [name for name, (failed, tried) in results.items() if failed or not tried] == []


STYLES = sorted((ROOT / "pages/framework/browser").glob("*.css"))


def test_a_change_on_a_page_restyles_only_what_it_concerns():
    selectors = [
        selector.strip()
        for style in STYLES
        for head in re.findall(
            r"([^{}]+)\{", re.sub(r"/\*.*?\*/", "", style.read_text(encoding="utf-8"), flags=re.DOTALL)
        )
        for selector in re.split(r",(?![^(]*\))", head)
    ]
    assert len(selectors) > 200
    wrong = [each for each in selectors if ":has(" in each and not re.search(r":has\(([\s>,]*\.[\w-]+)+\)$", each)]
    assert not wrong, (
        f"{wrong}: what :has() contains must be classes, and it must stand at the end; else the browser restyles the "
        "whole page at every move. Let the browser code set a class instead"
    )


CODE = [
    ROOT / "app.py",
    ROOT / "start.py",
    *(path for name in ("pages", "dpcore", "dp_explorer") for path in sorted((ROOT / name).rglob("*.py"))),
]
TESTS = sorted((ROOT / "tests").rglob("*.py"))
MAX_FILES_OF_A_NAME = 7
MAX_FRAMEWORK_LEVELS = 7
MAX_LINES, MAX_LONG_MODULES = 430, 2
ROLES = {
    *(
        "SECTION",
        "PAGE",
        "PARAMETERS",
        "PINNED",
        "answer_text",
        "explanation_text",
        "comparison_text",
        "alternative_text",
    ),
    *(
        "subtitle",
        "table_html",
        "csv_header",
        "controls",
        "more_settings",
        "parts",
        "exhibits",
        "claims",
        "snippets",
        "statements",
        "downloads",
        "compute_result",
        "correct",
    ),
    *(
        "_body",
        "read",
        "allowed",
        "section",
        "epsilon",
        "half_width",
        "half_widths",
        "variance",
        "mean_absolute_error",
        "cdf",
        "pdf",
        "tail",
        "sample",
        "data_in",
    ),
}
SECTION_FILES = {"section", "parameters", "results", "exhibits", "figures", "tables", "text", "explanation", "claims"}
SECTION_FILES |= {"code", "statements", "widgets", "upload"}
MAX_OTHER_SECTION_FILES = 3


def test_no_name_is_defined_in_many_files_unless_it_is_a_role():
    files = defaultdict(set)
    for path in CODE:
        for name in re.findall(r"^ *(?:def|class) (?!__)(\w+)", bare_code(path), re.MULTILINE):
            files[name].add(path)
    assert len(files) > 3000
    wrong = {
        name: len(paths) for name, paths in files.items() if len(paths) > MAX_FILES_OF_A_NAME and name not in ROLES
    }
    assert not wrong, f"{wrong}: give each a name of its own, or make it a role in tests/test_structure.py"


def test_a_section_has_the_files_of_every_section():
    folders = [
        path.parent
        for path in PAGES
        if path.name == "section.py" and "framework" not in path.parts and not (path.parent / "page.py").exists()
    ]
    assert len(folders) > 10
    wrong = [
        str(path.relative_to(ROOT))
        for folder in folders
        for path in folder.glob("*.py")
        if path.stem not in SECTION_FILES and path.stem.rsplit("_", 1)[-1] not in SECTION_FILES | {"data"}
    ]
    assert len(wrong) <= MAX_OTHER_SECTION_FILES, (
        f"{wrong}: a file of a section is named after its role, as {sorted(SECTION_FILES)}"
    )


def test_topics_do_not_import_each_other():
    topics = {path.parent.name for path in (ROOT / "pages").glob("*/page.py")}
    wrong = [
        f"{path.relative_to(ROOT)} imports {module}"
        for path in PAGES
        for module in imports_of(path)
        if path.relative_to(ROOT).parts[1] in topics
        and module.split(".")[:1] == ["pages"]
        and module.split(".")[1] in topics - {path.relative_to(ROOT).parts[1]}
    ]
    assert not wrong, f"{wrong}: put what two topics share into pages/shared, or take it from the record of the page"


def test_undocumented_parts_of_streamlit_are_used_in_one_module():
    internals = re.compile(
        r"streamlit\.runtime|get_script_run_ctx|from streamlit import runtime|runtime\.get_instance"
        r"|streamlit\.web\.server|(find_spec|files)\(.streamlit.\)|_stcore|spool_max_size"
    )
    wrong = [
        str(path.relative_to(ROOT))
        for path in CODE
        if path.name != "streamlit_host.py" and internals.search(path.read_text(encoding="utf-8"))
    ]
    assert not wrong, f"{wrong}: use pages/framework/streamlit_host.py, which says what it relies on"


def test_undocumented_parts_of_streamlit_are_used_in_one_browser_module():
    internals = re.compile(
        r"data-test-?|data-stale|testScriptState|\.st[A-Z]|\bst(App|Main|Sidebar|File|Expander)\w*"
        r"|history\.pushState ="
    )
    wrong = [
        str(path.relative_to(ROOT))
        for path in sorted((ROOT / "pages").rglob("*"))
        if path.suffix in (".js", ".css")
        and not path.name.endswith(".bundle.js")
        and path.stem != "streamlit_host"
        and internals.search(path.read_text(encoding="utf-8"))
    ]
    assert not wrong, f"{wrong}: use pages/framework/browser/streamlit_host.js or .css, which say what they rely on"


def test_the_examples_of_the_architecture_name_functions_that_exist():
    lines = (ROOT / "docs/architecture.md").read_text(encoding="utf-8").splitlines()
    named = [path for line in lines if "tests/test_" in line for path in re.findall(r"`([\w/.]+\.py)`", line)]
    pairs = [pair for line in lines for pair in re.findall(r"`(\w+)` in `([\w/]+\.py)`", line)]
    assert len(pairs) >= 7, "the table of examples from the screen to the formula is empty"
    folders = (ROOT, ROOT / "pages")
    wrong = [path for path in named if not any((folder / path).exists() for folder in folders)]
    for name, path in pairs:
        texts = [(folder / path).read_text(encoding="utf-8") for folder in folders if (folder / path).exists()]
        wrong += [] if any(f"def {name}(" in text for text in texts) else [f"{name} in {path}"]
    assert not wrong, f"{wrong}: name the functions and files that are there now in docs/architecture.md"


def test_the_recipes_name_files_that_exist():
    text = (ROOT / "docs/recipes.md").read_text(encoding="utf-8")
    named = {*re.findall(r"`((?:dpcore|pages|tests)/[\w/]+\.py)`", text)}
    assert len(named) > 15
    to_be_made = {"dpcore/logistic.py", "tests/test_logistic.py", "pages/N_Name.py"}
    wrong = sorted(path for path in named - to_be_made if not (ROOT / path).exists())
    assert not wrong, f"{wrong}: name the files that are there now in docs/recipes.md"


def test_the_names_of_tests_are_short():
    names = re.compile(r"^\s*(?:async )?def (test_\w{86,})", re.MULTILINE)
    wrong = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in sorted((ROOT / "tests").rglob("*.py"))
        for name in names.findall(path.read_text(encoding="utf-8"))
    ]
    assert not wrong, f"{len(wrong)}, {wrong[:5]}: a test's name is a sentence of at most 90 characters"


def test_the_framework_has_few_levels_of_imports():
    longest = max(framework_chains().values(), key=len)
    assert len(longest) <= MAX_FRAMEWORK_LEVELS, (
        f"{' imports '.join(longest)}: move what both ends need into a module that imports little, "
        "or join a module that only forwards with the one that it serves"
    )


@pytest.mark.parametrize(
    ("paths", "most", "n_longer"), [(CODE, MAX_LINES, MAX_LONG_MODULES), (TESTS, 400, 0)], ids=["code", "tests"]
)
def test_few_modules_are_long(paths, most, n_longer):
    long = [str(path.relative_to(ROOT)) for path in paths if len(path.read_text(encoding="utf-8").splitlines()) > most]
    assert len(long) <= n_longer, f"{long}: split a module of more than {most} lines by topic"


def test_texts_of_the_pages_have_typographic_apostrophes():
    wrong = []
    straight = re.compile(r"(\w|^|\")'(s|t)\b", re.MULTILINE)
    unseen = re.compile(r'(?::\n|\A) *"""(?:\\.|[^\\])*?"""|  # [^"\n]*$', re.DOTALL | re.MULTILINE)  # most of it
    for path in PAGES:
        if not straight.search(unseen.sub("", text := path.read_text(encoding="utf-8"))):
            continue
        tree = ast.parse(text)
        statements = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}  # docstrings
        strings = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in statements]
        wrong += [
            f"{path.relative_to(ROOT)}:{node.lineno}"
            for node in strings
            if isinstance(node.value, str) and re.search(r"(\w|^)'(s|t)\b", node.value)
        ]
    assert not wrong, f"{wrong}: write ’, which the other texts have"


MOST_CACHES = 60
SHIPPED = [ROOT / "app.py", *sorted((ROOT / "dpcore").rglob("*.py")), *sorted((ROOT / "pages").rglob("*.py"))]


@cache
def caching() -> dict[str, list[ast.AST]]:
    """Return the nodes of each module with a cache of a function."""
    texts = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in SHIPPED}
    cached = {path: text for path, text in texts.items() if re.search(r"@.*cache|cache\(", text)}
    return {path: list(ast.walk(ast.parse(text))) for path, text in cached.items()}


def caches_in(nodes: list[ast.AST]) -> list[str]:
    """Return the caches of functions in a module, each by the last line of its name and what it keeps at most."""
    found = []
    for node in nodes:
        if isinstance(node, ast.FunctionDef):
            kinds = [ast.unparse(decorator) for decorator in node.decorator_list]
            found += [f"{node.name} {kind}" for kind in kinds if re.match(r"lru_cache|cache\b|(st\.)?cache_", kind)]
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and len(node.value.args) == 1:
            value = ast.unparse(node.value)
            if re.match(r"(lru_cache\(.*\)|cache)\(.+\)$", value):
                found.append(f"{ast.unparse(node.targets[0])} {value}")
    return found


def stored_functions(text: str) -> list[str]:
    """Return the functions whose values a module puts into the one store of the pages, by `kept(function, …)`."""
    calls = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call))
    return [
        ast.unparse(call.args[0]).rpartition(".")[2] for call in calls if call.args and ast.unparse(call.func) == "kept"
    ]


def test_caches_are_few_and_the_guide_says_what_each_saves():
    caches = [kept.split()[0] for nodes in caching().values() for kept in caches_in(nodes)]
    assert 30 < len(caches) <= MOST_CACHES, "pass a value on, or put it into the record of its key, before it is cached"
    texts = (path.read_text(encoding="utf-8") for path in SHIPPED)
    stored = {name for text in texts if "kept(" in text for name in stored_functions(text)}
    assert len(stored) > 30
    guide = (ROOT / "docs/development.md").read_text(encoding="utf-8")
    described = guide[guide.index("## Caches") : guide.index("## Libraries that were measured")]
    described_names = {code.rpartition(".")[2] for code in re.findall(r"`([\w.]+)`", described)}
    assert sorted({*caches, *stored} - described_names) == []


def test_a_cache_without_a_bound_is_of_a_function_without_arguments():
    unbounded = [
        (path, node.name)
        for path, nodes in caching().items()
        for node in nodes
        if isinstance(node, ast.FunctionDef)
        and any(
            ast.unparse(decorator) in ("cache", "lru_cache", "lru_cache(None)") for decorator in node.decorator_list
        )
        and ast.unparse(node.args)
    ]
    assert unbounded == []
