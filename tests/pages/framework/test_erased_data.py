"""What workers and caches hold of own data ends with the session, and when the user goes back to the sample."""

import sys
import time
from functools import partial
from inspect import signature

import pytest
from streamlit.runtime import caching
from streamlit.testing.v1 import AppTest

from pages.framework.rendering import render_jobs
from pages.framework.rendering.uploaded_files import ByteCache
from pages.framework.rendering.workers.jobs import Limits
from pages.framework.rendering.workers.pool import ForkServer, Workers
from pages.shared import site_map
from pages.tradeoff.curve_kinds import linked_points
from tests.pages.conftest import answer_conditions, ask, field, link_of, open_page, stage_of, text_of
from tests.pages.framework.pools import LONG, outcome, start
from tests.pages.framework.worker_tasks import n_traces, process, wait

MARKER, COUNT = "Secretville", 48613.25
N_NODES = 211
NODES = "id,lat,lon\n" + "".join(f"{MARKER} {place},{45 + place / 1000},-73\n" for place in range(N_NODES))
EDGES = "u,v\n" + "".join(f"{MARKER} {place},{MARKER} {place + 1}\n" for place in range(N_NODES - 1))
COUNTS = "id,n\n" + "".join(f"{MARKER} {place},{COUNT if place == 3 else place}\n" for place in range(N_NODES))
count_traces = partial(n_traces, (MARKER[::-1], "31684", "316,84"), COUNT + 1, N_NODES + 1)
FROM_APPTEST = "test session id"  # of all sessions of AppTest, for Streamlit


@pytest.fixture(scope="module")
def one_worker(prepared_fork_server: ForkServer) -> Workers:
    return Workers(1, Limits(20.0, 1_000_000_000), prepared_fork_server)


@pytest.fixture
def worker(one_worker: Workers, monkeypatch: pytest.MonkeyPatch) -> Workers:
    monkeypatch.setattr(render_jobs, "WORKERS", one_worker)
    return one_worker


def with_places() -> AppTest:
    app = open_page(site_map.DENOISING.script, section="map")
    app.session_state.own_places_box = True
    app.run()
    for kind, text in (("nodes", NODES), ("edges", EDGES), ("counts", COUNTS)):
        field(app, f"places_{kind}").upload(f"{kind}.csv", text.encode(), "text/csv").run()
    answer_conditions(app)
    ask(app, prefetch=[{"epsilon": "1.1"}, {"epsilon": "1.2"}])
    assert link_of(app)["places"] == "own"
    assert "Your places" in text_of(app)
    return app


def with_values() -> AppTest:
    app = open_page(site_map.CLIPPING.script)
    app.session_state.own_values_box = True
    app.run()
    app.text_area(key="values_pasted").input(f"who;{MARKER}\nAnn;{COUNT}\nBob;7,5\n").run()
    answer_conditions(app)
    assert link_of(app)["source"] == "own"
    return app


PAGES = {
    "places": (with_places, "places_away"),
    "values": (with_values, "values_away"),
}


def expect_empty_caches() -> None:
    assert [
        cache for cache in render_jobs.clearable() if cache.cache_info().currsize and "dpcore" in cache.__module__
    ] == []


@pytest.mark.parametrize(("bring", "away"), PAGES.values(), ids=PAGES)
def test_no_trace_of_own_data_is_left_in_a_worker_after_the_way_back_to_the_sample(worker, bring, away):
    app = bring()
    before = outcome(worker, process)
    assert outcome(worker, count_traces) > 0 or bring is with_values  # of which no cache needs to keep any
    app.button(key=away).click().run()
    assert "own" not in (link_of(app).get("places"), link_of(app).get("source"))
    assert outcome(worker, count_traces) == 0
    assert outcome(worker, process) != before


@pytest.mark.parametrize(("bring", "away"), PAGES.values(), ids=PAGES)
def test_no_trace_of_own_data_is_left_in_a_worker_after_the_session(worker, bring, away):
    app = bring()
    before = outcome(worker, process)
    assert outcome(worker, count_traces) > 0 or bring is with_values  # of which no cache needs to keep any
    caching.clear_session_resource_cache(FROM_APPTEST)  # as Streamlit does when a browser has gone
    end = time.monotonic() + LONG
    while outcome(worker, process) == before:
        assert time.monotonic() < end, "the worker is not replaced"
        time.sleep(0.05)
    assert outcome(worker, count_traces) == 0
    assert app.session_state["dp_session"].has_data


def test_a_session_without_own_data_replaces_no_worker(worker):
    caching.clear_session_resource_cache(FROM_APPTEST)
    time.sleep(0.2)
    open_page(site_map.DENOISING.script, section="map")
    before = outcome(worker, process)
    caching.clear_session_resource_cache(FROM_APPTEST)
    time.sleep(0.2)
    assert outcome(worker, process) == before


def test_what_is_rendered_from_data_in_a_link_is_forgotten_with_them(monkeypatch):
    monkeypatch.setattr(render_jobs, "_stage_cache", stages := ByteCache(10_000_000))
    app = open_page(site_map.CLIPPING.script, source="own", own="1;2;48613")
    assert "48613" in str([*stages._entries])
    app.button(key="values_away").click().run()
    assert "48613" not in str([*stages._entries])
    assert "lognormal" in "".join(stage_of(app)["answer"])


def test_a_link_with_other_data_forgets_those_before(monkeypatch):
    erased: list[str] = []
    monkeypatch.setattr(render_jobs, "erase_own_data", erased.append)
    app = open_page(site_map.CLIPPING.script, source="own", own="1;2;40")
    ask(app, set={"epsilon": "2"})
    assert erased == []
    ask(app, set={"own": "1;2;41"})
    assert erased == [app.session_state["dp_session"].id]


def test_the_caches_of_this_process_are_cleared_and_what_was_done_once_stays_done():
    open_page(site_map.DENOISING.script, section="map")
    assert any(cache.cache_info().currsize for cache in render_jobs.clearable())
    render_jobs.clear()
    expect_empty_caches()
    names = {cache.__qualname__ for cache in render_jobs.clearable()}
    assert {linked_points.__qualname__, "interval_bounds", "_known_moves", "basis"} <= names
    assert not {"plotly", "carshare"} & names
    unbounded = {cache.__qualname__ for cache in _unbounded_with_arguments()}
    assert unbounded <= {"step_description"}, "a user's data may stay in it"


def _unbounded_with_arguments():
    modules = [module for name, module in sys.modules.items() if name.startswith("pages.")]
    functions = {
        function for module in modules for function in vars(module).values() if isinstance(function, render_jobs._Cache)
    }
    return [
        function
        for function in functions
        if function not in render_jobs.clearable() and signature(function.__wrapped__).parameters
    ]


def test_a_renewal_ends_a_worker_at_work_after_its_job_and_stops_the_jobs_of_one_session(pool, tmp_path):
    names = ("started", "go")
    shared = pool.start(partial(wait, 0.0, *(tmp_path / f"a{name}" for name in names)), "test", lambda _: None, "other")
    end = time.monotonic() + LONG
    while not (tmp_path / "astarted").exists() and time.monotonic() < end:
        time.sleep(0.01)
    pool.renew("own")
    (tmp_path / "ago").touch()
    assert outcome(pool, process) != shared.outcome.result(LONG)
    own = pool.start(partial(wait, 0.0, *(tmp_path / f"b{name}" for name in names)), "test", lambda _: None, "own")
    pool.renew("own")
    assert isinstance(own.outcome.exception(LONG), render_jobs.StoppedError)
    assert start(pool, process).outcome.result(LONG) > 0


def test_some_values_can_be_removed_from_a_byte_cache():
    cache = ByteCache(10)
    for key in "abc":
        cache.store(key, b"1234"[: 3 if key == "b" else 4])
    cache.remove(lambda key: key == "b")
    assert [cache.find(key) for key in "abc"] == [None, None, b"1234"]
    cache.store("d", b"123456")
    assert cache.find("c") == b"1234"
