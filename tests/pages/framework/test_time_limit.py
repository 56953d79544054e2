"""The limit of time in this process: what is too costly ends in a sentence on systems without workers too."""

import threading
from functools import partial

import pytest

from pages.framework.rendering import render_jobs
from pages.framework.rendering.render_jobs import BackgroundTask
from pages.framework.rendering.workers import jobs
from pages.framework.rendering.workers.jobs import EXPERIMENT_LIMITS, LimitExceededError, Limits, within_time
from pages.report import results as report
from pages.report.parameters import ReportItems
from pages.report.text import TOO_MUCH
from pages.shared import site_map
from tests.pages.conftest import ask, charts_of, link_of, open_page, stage_of
from tests.pages.framework.pools import LONG
from tests.pages.framework.worker_tasks import spin

SLOW = partial(spin, 600, None)
LINK = {"releases": "gaussian:3*7;laplace:.2*9", "runs": "3"}


def test_a_computation_within_its_time_has_its_result_and_its_own_errors():
    assert within_time(lambda: 7, LONG) == 7
    with pytest.raises(KeyError, match="its own"):
        within_time(lambda: {}["its own"], LONG)


@pytest.mark.parametrize("n_swallowed", [0, 2])
def test_a_computation_beyond_its_time_is_ended_whatever_errors_it_handles(monkeypatch, n_swallowed):
    threads, swallowed = [], []

    def stubborn() -> None:
        threads.append(threading.current_thread())
        while True:
            try:
                SLOW()
            except BaseException as error:
                swallowed.append(error)
                if len(swallowed) > n_swallowed:
                    raise

    monkeypatch.setattr(jobs, "_INTERVAL", 0.02)
    with pytest.raises(LimitExceededError, match="process"):
        within_time(stubborn, 0.02)
    threads[0].join(LONG)
    assert not threads[0].is_alive()
    assert len(swallowed) == n_swallowed + 1


def test_the_caller_is_told_now_and_then_that_it_waits(monkeypatch):
    monkeypatch.setattr(jobs, "_INTERVAL", 0.01)
    done, calls = threading.Event(), []

    def note_call() -> None:
        calls.append(threading.current_thread())
        if len(calls) == 3:
            done.set()

    assert within_time(lambda: done.wait(LONG), LONG, note_call)
    assert set(calls) == {threading.current_thread()}


def test_a_computation_ends_with_its_caller():
    threads = []

    def make() -> None:
        threads.append(threading.current_thread())
        SLOW()

    def interrupt() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        within_time(make, LONG, interrupt)
    threads[0].join(LONG)
    assert not threads[0].is_alive()


def test_a_page_without_workers_beyond_its_time_says_so_and_keeps_its_parameters(monkeypatch):
    monkeypatch.setattr(render_jobs, "IN_PROCESS_SECONDS", 0.0)
    app = open_page(site_map.COMPOSITION.script, **LINK)
    stage = stage_of(app)
    assert "would take this computer more than 20 s of processor time" in stage["answer"][0]
    assert charts_of(app) == {}
    assert LINK.items() <= link_of(app).items()
    assert stage["fields"]["runs"]["used"] == "3"
    assert "more than 20 s" in stage_of(ask(app, csv="costs"))["notices"][0]
    monkeypatch.undo()
    ask(app, set={"runs": "4"})
    assert "costs" in charts_of(app)


def test_a_file_an_experiment_and_an_item_without_workers_are_refused_in_a_sentence(monkeypatch):
    monkeypatch.setattr(render_jobs, "IN_PROCESS_SECONDS", 0.02)
    monkeypatch.setattr(render_jobs, "EXPERIMENT_LIMITS", Limits(0.02, EXPERIMENT_LIMITS.memory))
    with pytest.raises(ValueError, match="more than 20 s of processor time; upload a smaller file"):
        render_jobs.read_file(lambda _: SLOW(), lambda _: None)
    task = BackgroundTask("test", lambda _: SLOW())
    task.thread.join(LONG)
    assert "more than 15 minutes" in task.problem
    refusals, items = {}, ReportItems().read("Composition/answer?releases=gaussian%3A3%2A7%3Blaplace%3A.2%2A9")
    monkeypatch.setattr(render_jobs, "IN_PROCESS_SECONDS", 0.0)
    missing = report.ReportResult("", "", items, report.RebuiltItems()).missing
    report.rebuild_missing(dict.fromkeys(missing), 60.0, 0, refusals.__setitem__, lambda _: None, "me")
    assert [TOO_MUCH[refusal] for refusal in refusals.values()] == [TOO_MUCH["process"]]
