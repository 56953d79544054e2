"""Settings of all tests: the coverage of dpcore, the number of threads, what is compiled and what is reported once."""

import ast
import gc
import json
import marshal
import os
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from importlib import import_module
from importlib.util import cache_from_source
from pathlib import Path
from shutil import rmtree
from types import CodeType, ModuleType
from typing import Any

import mpmath
import pytest
import slipcover
from slipcover.branch import preinstrument
from slipcover.importer import SlipcoverLoader
from xdist.scheduler import LoadFileScheduling

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the workers share the processor already
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # each worker and each server would compile all modules anew
os.environ["DP_WORKERS"] = "0"  # pages are made where a test can look into them; a test of the workers has its own

_TESTS = Path(__file__).parent
_APART_FROM_ALL = {_TESTS / name for name in ("benchmarks", "peers", "site")}  # pyproject.toml leaves them out too
_BROWSER = "tests/browser/"
_APART = {f"{_BROWSER}test_{name}.py" for name in ("deployment", "export", "lost_server", "saved_pictures")}
_DRAWING = tuple(
    f"tests/pages/{name}.py"
    for name in (
        "test_figures",
        "test_export",
        "test_labels",
        "test_language",
        "test_plot_script",
        "test_verdicts",
        "report/test_report",
    )
)
_FIRST_BROWSERS = tuple(f"{_BROWSER}test_{letter}" for letter in "abcdefg")  # about half of their time
_TOGETHER = (_FIRST_BROWSERS, (_BROWSER,), _DRAWING, ("tests/pages/framework/",))
_FIRST = {
    "gw0": ("streamlit.testing.v1", "playwright.sync_api", "plotly.io", "numpy.testing", "pages.export.__main__"),
    "gw1": ("scipy.stats", "scipy.optimize", "pandas"),
}
_NEVER = 1 << 30  # calls of a line before SlipCover takes its mark away, for which it compares what all threads hold
_NOTHING = {"missing_lines": ["all of it"], "missing_branches": []}
_MISSED = pytest.StashKey[dict[str, list[str]]]()
_MEASURED = {"SLIPCOVER_ENABLED": "1", "SLIPCOVER_BRANCH": "1", "SLIPCOVER_SOURCE": "dpcore"}


@pytest.fixture
def many_digits(request: pytest.FixtureRequest) -> Iterator[None]:
    """Compute with mpmath in as many digits as the module of the test says by its DIGITS."""
    with mpmath.workdps(request.module.DIGITS):
        yield


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--cov", action="store_true", help="fail where the workers of -n leave a branch of dpcore out")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Measure the coverage of the workers by SlipCover's plugin, which instruments their imports of `dpcore`."""
    if config.getoption("--cov"):
        if "PYTEST_XDIST_WORKER" not in os.environ and not config.getoption("numprocesses"):
            raise pytest.UsageError("--cov measures the workers that -n starts.")
        os.environ.update(_MEASURED)


def _marked_code(path: Path) -> CodeType:
    """Return the code of a module with its branches marked, from a file beside what Python has compiled of it.

    SlipCover would make it anew in each process, which takes two seconds of processor time for `dpcore`.
    """
    source, kept = path.read_bytes(), Path(cache_from_source(str(path), optimization="slipcover"))
    key = sha256(slipcover.__version__.encode() + source).digest()
    with suppress(OSError, EOFError, ValueError, TypeError):
        content = kept.read_bytes()
        if content.startswith(key):
            return marshal.loads(content[len(key) :])
    code = compile(preinstrument(ast.parse(source)), str(path), "exec")
    with suppress(OSError):
        kept.parent.mkdir(exist_ok=True)
        part = kept.with_suffix(f".{os.getpid()}")  # another process may read it
        part.write_bytes(key + marshal.dumps(code))
        part.replace(kept)
    return code


def _execute_measured(self: SlipcoverLoader, module: ModuleType) -> None:
    self.sci.d_miss_threshold = _NEVER
    self.sci.register_module(module)
    exec(self.sci.instrument(_marked_code(self.origin)), module.__dict__)


SlipcoverLoader.exec_module = _execute_measured


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Have three workers import libraries and tests in different orders, so that each compiles a third of the tests.

    What Python has compiled it keeps in files. In a fresh checkout all would compile all modules, one beside the other.
    """
    gc.disable()  # nearly all that is made until the tests run stays, and Python would look through it again and again
    worker = os.environ.get("PYTEST_XDIST_WORKER", "")
    for name in _FIRST.get(worker, ()):
        import_module(name)
    if worker in ("gw1", "gw2"):
        files = sorted(_TESTS.glob("**/test_*.py"))
        for file in reversed(files) if worker == "gw1" else files[len(files) // 3 :]:
            if not _APART_FROM_ALL & {*file.parents}:
                with suppress(Exception, pytest.skip.Exception):  # which is reported when the file is collected
                    import_module(".".join(file.relative_to(_TESTS.parent).with_suffix("").parts))
    if worker and session.config.getoption("durations") is None and session.config.getoption("xmlpath") is None:
        _report_passes_once(session.config)


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)  # what a test makes is small, and most goes without the collector
    gc.enable()


def _report_passes_once(config: pytest.Config) -> None:
    """Send one report of a test that passes to the process that prints, and none of its start, set-up and tear-down.

    Sending takes more processor time than most tests, and so does reading.
    """
    interactor = next(plugin for plugin in config.pluginmanager.get_plugins() if hasattr(plugin, "sendevent"))
    send = interactor.sendevent

    def send_few(name: str, **event: Any) -> None:
        is_passed = name == "testreport" and event["data"]["outcome"] == "passed"
        if is_passed:
            event["data"]["keywords"] = {}
        if name != "logstart" and not (is_passed and event["data"]["when"] != "call"):
            send(name, **event)

    interactor.sendevent = send_few


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail unless every line and every branch ran."""
    if "PYTEST_XDIST_WORKER" in os.environ or not session.config.getoption("--cov"):
        return
    folder = Path(os.environ["SLIPCOVER_COVERAGE_DIR"])
    merged = folder / "merged.json"
    files = json.loads(merged.read_text())["files"] if merged.exists() else {"dpcore": _NOTHING}
    rmtree(folder)
    uncovered = session.config.stash[_MISSED] = {
        name: [*map(str, lines["missing_lines"]), *(f"{start} to {end}" for start, end in lines["missing_branches"])]
        for name, lines in files.items()
        if lines["missing_lines"] or lines["missing_branches"]
    }
    if uncovered and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print the lines and branches that did not run, if coverage was measured."""
    for name, places in config.stash.get(_MISSED, {}).items():
        terminalreporter.write_line(f"left out of {name}: {', '.join(places)}")
    if config.stash.get(_MISSED, None) == {}:
        terminalreporter.write_line("Every line and every branch of dpcore was run.")


class _ByFile(LoadFileScheduling):
    """The tests of a file run in one process, and so do those of the files that visit the app in a browser, in two
    halves, since the server with its workers and the browser take ten seconds of processor time to start. The files
    that draw every page at its defaults share what dpcore caches, and those on the framework a pool of workers that
    have loaded every page.
    """

    def _split_scope(self, nodeid: str) -> str:
        file = super()._split_scope(nodeid)
        shared = file not in _APART and next((names[0] for names in _TOGETHER if file.startswith(names)), None)
        return shared or file

    def _pending_of(self, workload: dict[str, dict[str, bool]]) -> int:
        for scope in [scope for scope, is_done in workload.items() if all(is_done.values())]:
            del workload[scope]  # else each of its tests is counted after each test
        return super()._pending_of(workload)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadFileScheduling:
    config.option.loadscopereorder = False  # the browsers first, which take longest
    return _ByFile(config, log)
