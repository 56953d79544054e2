"""Background tasks: pieces, progress, ends and sentences, with and without workers."""

import threading
import time
from functools import partial
from threading import Event

import pytest

from pages.framework import streamlit_host
from pages.framework.rendering import render_jobs
from pages.framework.rendering.render_jobs import BackgroundTask
from pages.framework.rendering.workers.jobs import Progress
from pages.framework.rendering.workers.pool import Workers
from pages.papers.liu_tables.results import compute_results
from tests.pages.conftest import found_by
from tests.pages.framework.pools import LITTLE, LONG
from tests.pages.framework.worker_tasks import (
    count,
    endless,
    fail,
    fill,
    refuse,
    spin,
    vanish_after_a_piece,
    vanish_once,
)


def finished(work: BackgroundTask) -> BackgroundTask:
    """Return a task after it has ended."""
    work.thread.join(LONG)
    assert work.is_finished
    return work


def test_another_worker_repeats_an_experiment_whose_worker_died_before_a_piece(render_pool, tmp_path):
    assert finished(BackgroundTask("test", partial(vanish_once, tmp_path / "asked"))).problem == ""


def test_an_experiment_whose_worker_dies_after_a_piece_has_that_piece_and_says_so(render_pool, tmp_path):
    work = finished(BackgroundTask("test", partial(vanish_after_a_piece, tmp_path / "log")))
    assert (work.pieces, work.problem) == (("a piece",), render_jobs.LOST_TASK)
    assert (tmp_path / "log").read_text() == "asked\n"


def test_an_experiment_in_a_worker_has_its_pieces_and_its_progress(render_pool):
    work = finished(BackgroundTask("test", partial(count, 2)))
    assert (work.pieces, work.share, work.problem) == ((1, 2), 1.0, "")


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (partial(spin, 60), "more than 15 minutes"),
        (partial(fill, 500), "more than 2 GB"),
        (refuse, "It failed: no room."),
    ],
)
def test_an_experiment_that_ends_early_says_why_in_a_sentence(render_pool, monkeypatch, make, sentence):
    monkeypatch.setattr(render_jobs, "EXPERIMENT_LIMITS", LITTLE)
    assert sentence in finished(BackgroundTask("test", make)).problem


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")  # which writes it to the log
def test_an_experiment_that_fails_unexpectedly_ends_with_a_sentence(render_pool):
    assert finished(BackgroundTask("test", fail)).problem == render_jobs.FAILED


def test_a_running_and_a_waiting_experiment_stop_at_once(render_pool):
    first = BackgroundTask("reports nothing", partial(spin, 600))
    while first.job is None or first.job.worker is None:
        assert not first.is_finished
        time.sleep(0.01)
    second = BackgroundTask("waits", partial(count, 1))
    time.sleep(0.05)
    assert second.pieces == ()
    for task in (second, first):
        task.stop()
        task.thread.join(LONG)
        assert (task.is_finished, task.problem) == (True, "")


@pytest.mark.parametrize("has_workers", [True, False])
def test_an_experiment_ends_when_its_session_is_lost(prepared_pool, monkeypatch, has_workers):
    monkeypatch.setattr(render_jobs, "WORKERS", prepared_pool if has_workers else Workers(0))
    monkeypatch.setattr(render_jobs, "ABANDONED_AFTER", 0.2)
    monkeypatch.setattr(render_jobs, "_CHECK_INTERVAL", 0.05)
    there = Event()
    monkeypatch.setattr(streamlit_host, "is_connected", lambda: there.is_set)
    there.set()
    work = BackgroundTask("goes on", partial(endless, 0.05))
    work.thread.join(0.5)
    assert not work.is_finished
    there.clear()
    work.thread.join(LONG)
    assert (work.is_finished, work.problem) == (True, "")


def test_an_experiment_has_the_same_results_with_and_without_workers(render_pool):
    inputs = found_by("papers", section="tables").table_experiment.inputs
    ((key, results),) = finished(BackgroundTask("test", partial(compute_results, inputs))).pieces
    assert key == inputs
    assert results.equals(inputs.results())


def test_a_task_without_workers_has_its_pieces_and_its_progress():
    def make(report: Progress) -> None:
        for place in (1, 2):
            report.add_piece(place)
            report.report(place / 2)

    work = finished(BackgroundTask("count", make))
    assert (work.pieces, work.share, work.problem) == ((1, 2), 1.0, "")


def test_a_stopped_task_has_the_pieces_that_it_made_before():
    def make(report: Progress) -> None:
        report.add_piece("first")
        while True:
            report.report(0.5)
            time.sleep(0.01)

    work = BackgroundTask("endless", make)
    waiting = BackgroundTask("waits for the other", lambda report: report.add_piece("made"))
    time.sleep(0.05)
    assert waiting.pieces == ()
    work.stop()
    assert (finished(work).pieces, work.problem) == (("first",), "")
    assert finished(waiting).pieces == ("made",)


@pytest.mark.parametrize(
    ("error", "sentence"),
    [(ValueError("no"), "It failed: no."), (MemoryError(), "It failed: this server has too little memory for it.")],
)
def test_a_task_that_fails_says_why(error, sentence):
    def make(_: Progress) -> None:
        raise error

    assert finished(BackgroundTask("fails", make)).problem == sentence


def test_a_task_that_fails_unexpectedly_ends_with_a_sentence(monkeypatch):
    def make(_: Progress) -> None:
        raise KeyError

    thread_errors = []
    monkeypatch.setattr(threading, "excepthook", thread_errors.append)  # which writes it to the server's log
    assert finished(BackgroundTask("fails", make)).problem == render_jobs.FAILED
    assert len(thread_errors) == 1
