"""What is made in processes of its own: once for all who wait, within limits, without others waiting for it."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from threading import Event
from typing import Any

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from pages.framework import streamlit_host
from pages.framework.export.report_items import rebuild
from pages.framework.layout.page import load_page
from pages.framework.layout.section import ReportEntry
from pages.framework.rendering import background_task, packing, render_jobs
from pages.framework.rendering.background_task import BackgroundTask
from pages.framework.rendering.render import RenderRequest
from pages.framework.rendering.uploaded_files import UploadedFiles
from pages.framework.rendering.workers import pool as pool_module
from pages.framework.rendering.workers.jobs import EXPERIMENT_LIMITS, PIECE, SHARE, Limits, Progress
from pages.framework.rendering.workers.pool import (
    Job,
    LimitExceededError,
    StoppedError,
    WorkerError,
    WorkerLostError,
    Workers,
)
from pages.papers.liu_tables.results import compute_results
from pages.report import results as report
from pages.report.parameters import ReportItems
from pages.report.text import TOO_MUCH
from pages.shared import site_map
from pages.shared.counts.table import Counts, Upload
from pages.shared.counts.upload import OwnTableFile, TableResult, read_file
from pages.tradeoff.points import Points, points_of_file
from tests.pages.conftest import ask, charts_of, enter, found_by, link_of, opened, stage_of
from tests.pages.framework.worker_tasks import (
    count,
    counted,
    endless,
    fail,
    fill,
    process,
    refuse,
    spin,
    spin_until,
    vanish,
    vanish_after_a_piece,
    vanish_always,
    vanish_once,
)

STARTED_SERVER = """
import os, time
from pages.framework.rendering.workers.fork_server import ForkServer
from tests.benchmarks.servers import descendants
ForkServer().ready
print(*descendants(os.getpid()), flush=True)
time.sleep(600)
"""
LITTLE = Limits(0.3, 60_000_000)
LONG = 30  # seconds to wait for what should be there at once, on a busy machine


@pytest.fixture(scope="module")
def made() -> Iterator[Workers]:
    with_one = Workers(1, LITTLE)
    expect_ready(with_one)
    yield with_one
    with_one.close()


def expect_ready(some: Workers) -> None:
    end = time.monotonic() + LONG
    while not some.ready:
        assert time.monotonic() < end, "workers do not get ready"
        time.sleep(0.05)


def start(some: Workers, make):
    return some.start(make, "test", lambda found: None)


def outcome(some: Workers, make):
    return start(some, make).outcome.result(LONG)


def test_a_worker_is_another_process_that_makes_one_thing_after_the_other(made):
    assert outcome(made, process) == outcome(made, process) != os.getpid()


def test_what_several_ask_for_at_once_is_made_once(made):
    make, kept = partial(spin, 0.1), []
    jobs = [made.start(make, "test", kept.append) for _ in range(3)]
    assert jobs[0] is jobs[1] is jobs[2]
    assert [jobs[0].outcome.result(LONG)] == kept


def test_what_many_ask_for_at_once_is_made_by_as_many_workers_as_there_are(made):
    jobs = [start(made, partial(spin, 1e-6 * place)) for place in range(100)]
    assert len({job.outcome.result(LONG) for job in jobs}) == 1


def test_what_takes_too_long_ends_and_is_not_tried_again_soon(made):
    make = partial(spin, 5)
    with pytest.raises(LimitExceededError, match="time"):
        outcome(made, make)
    assert start(made, make).outcome.done()
    assert outcome(made, process) != os.getpid()


def test_what_takes_too_much_memory_ends_and_its_worker_goes_on(made):
    before = outcome(made, process)
    with pytest.raises(LimitExceededError, match="memory"):
        outcome(made, partial(fill, 500))
    assert outcome(made, process) == before
    assert outcome(made, partial(fill, 20)) == 20


def test_what_takes_long_keeps_no_other_waiting(made, monkeypatch, tmp_path):
    monkeypatch.setattr(pool_module, "SLICES", (0.02, 0.02))
    slow = start(made, partial(spin_until, 0.05, tmp_path / "go"))
    others = [outcome(made, partial(spin, 0.001 * place)) for place in range(3)]
    (tmp_path / "go").touch()
    assert slow.outcome.result(LONG) not in others
    assert slow.is_slow


def test_of_more_that_takes_long_than_there_is_room_for_each_is_made_in_the_end(made, monkeypatch):
    monkeypatch.setattr(pool_module, "SLICES", (0.02, 0.02))
    jobs = [start(made, partial(spin, 0.1 + 0.001 * place)) for place in range(4)]
    assert all(job.outcome.result(LONG) for job in jobs)


def test_what_is_stopped_ends_and_is_made_again_for_who_asks_later(made):
    make = partial(spin, 0.2)
    job = start(made, make)
    job.waiting |= {"one", "another"}
    job.remove_client("one")
    assert not job.is_stopped
    job.remove_client("another")
    again = start(made, make)
    assert again.outcome.result(LONG) != os.getpid()
    with pytest.raises(StoppedError):
        job.outcome.result(LONG)


def test_a_worker_that_fails_says_where_and_one_that_is_gone_is_replaced(made):
    with pytest.raises(WorkerError, match="nobody knows this"):
        outcome(made, fail)
    with pytest.raises(WorkerError):
        outcome(made, vanish)
    assert outcome(made, process) != os.getpid()


def test_where_a_worker_ends_without_an_answer_another_one_is_asked(made, tmp_path):
    before = outcome(made, process)
    assert outcome(made, partial(vanish_once, tmp_path / "asked")) not in (before, os.getpid())


def test_work_that_ends_its_workers_ends_no_more_than_two(made, tmp_path):
    with pytest.raises(WorkerError):
        outcome(made, partial(vanish_always, tmp_path / "log"))
    assert (tmp_path / "log").read_text() == "asked\nasked\n"
    assert outcome(made, process) != os.getpid()


def test_an_experiment_whose_worker_ends_before_its_first_piece_is_made_by_another_one(background_made, tmp_path):
    assert worked(partial(vanish_once, tmp_path / "asked")).problem == ""


def test_an_experiment_whose_worker_ends_after_a_piece_keeps_the_piece_once_and_says_so(background_made, tmp_path):
    work = worked(partial(vanish_after_a_piece, tmp_path / "log"))
    assert (work.pieces, work.problem) == (("a piece",), background_task.LOST)
    assert (tmp_path / "log").read_text() == "asked\n"


def test_a_page_and_a_file_whose_workers_end_without_an_answer_say_so(background_made, monkeypatch):
    def start(_make, *rest, **more):
        return Workers.start(background_made, vanish, *rest, **more)

    monkeypatch.setattr(background_made, "start", start)
    app = opened(site_map.GAUSSIAN_BOUNDS.script, epsilon="1.2345")
    stage = told(app)
    assert not app.exception
    assert "has ended without a result" in stage["answer"][0]
    assert stage["fields"]["epsilon"]["used"] == "1.2345"
    with pytest.raises(ValueError, match="upload the file again"):
        render_jobs.read_file(process, lambda _: None)


def test_what_lasts_tells_its_share_and_its_pieces(made):
    told = []
    job = made.start_experiment(partial(count, 2), LITTLE, lambda kind, said: told.append((kind, said)))
    job.outcome.result(LONG)
    assert told == [(PIECE, 1), (SHARE, 0.5), (PIECE, 2), (SHARE, 1.0)]


@pytest.fixture
def background_made(made, monkeypatch) -> Workers:
    monkeypatch.setattr(render_jobs, "WORKERS", made)
    return made


def worked(make) -> BackgroundTask:
    """A work that has ended, or it is a failure."""
    work = BackgroundTask("test", make)
    work.thread.join(LONG)
    assert work.is_finished
    return work


def test_an_experiment_in_a_worker_keeps_its_pieces_and_its_share(background_made):
    work = worked(partial(count, 2))
    assert (work.pieces, work.share, work.problem) == ((1, 2), 1.0, "")


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (partial(spin, 60), "more than 15 minutes"),
        (partial(fill, 500), "more than 2 GB"),
        (refuse, "It failed: no room."),
    ],
)
def test_an_experiment_that_ends_early_says_why_in_a_sentence(background_made, monkeypatch, make, sentence):
    monkeypatch.setattr(background_task, "EXPERIMENT_LIMITS", LITTLE)
    assert sentence in worked(make).problem


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")  # which writes it to the log
def test_an_experiment_that_fails_for_a_reason_that_nobody_thought_of_ends_too(background_made):
    assert worked(fail).problem == background_task.FAILED


def test_experiments_are_stopped_at_once_whether_they_are_made_or_wait_for_another(background_made):
    first = BackgroundTask("reports nothing", partial(spin, 600))
    while first.job is None or first.job.worker is None:
        assert not first.is_finished
        time.sleep(0.01)
    second = BackgroundTask("waits", partial(count, 1))
    time.sleep(0.05)
    assert second.pieces == ()
    for each in (second, first):
        each.stop()
        each.thread.join(LONG)
        assert (each.is_finished, each.problem) == (True, "")


@pytest.mark.parametrize("has_workers", [True, False])
def test_an_experiment_ends_that_nobody_can_come_back_for(made, monkeypatch, has_workers):
    monkeypatch.setattr(render_jobs, "WORKERS", made if has_workers else Workers(0))
    monkeypatch.setattr(background_task, "ABANDONED_AFTER", 0.2)
    monkeypatch.setattr(background_task, "_CHECK_INTERVAL", 0.05)
    there = Event()
    monkeypatch.setattr(streamlit_host, "is_connected", lambda: there.is_set)
    there.set()
    work = BackgroundTask("goes on", partial(endless, 0.05))
    work.thread.join(0.5)
    assert not work.is_finished
    there.clear()
    work.thread.join(LONG)
    assert (work.is_finished, work.problem) == (True, "")


def test_results_of_an_experiment_are_those_that_are_made_without_workers(background_made):
    asked = found_by("papers", section="tables").table_experiment.inputs
    ((key, results),) = worked(partial(compute_results, asked)).pieces
    assert key == asked
    assert results.equals(asked.results())


def test_workers_end_with_what_they_are_forked_from_and_others_come(made):
    """It is killed before it reads a message, so that its socket says that the connection was reset."""
    work = made.start_experiment(partial(spin, 600), EXPERIMENT_LIMITS, lambda *_: None)
    busy = number_of(work)
    idle = outcome(made, process)
    forked_from = parent_of(idle)
    os.kill(forked_from, signal.SIGSTOP)
    made._fork_server.end(busy)
    os.kill(forked_from, signal.SIGKILL)
    expect_gone(idle, busy, forked_from)
    with pytest.raises(WorkerLostError):
        work.outcome.result(LONG)
    end = time.monotonic() + LONG
    while made.ready:  # a thread of it may not have ended yet
        assert time.monotonic() < end
    made._fork_server._next_start = 0.0  # at once
    expect_ready(made)
    assert outcome(made, process) not in (idle, busy, os.getpid())


def test_what_workers_are_forked_from_ends_with_a_server_that_is_killed_at_its_start():
    command = [sys.executable, "-c", STARTED_SERVER]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        (fork_server,) = map(int, server.stdout.readline().split())
        server.kill()
    expect_gone(fork_server)


def number_of(job: Job[Any]) -> int:
    """The process that makes a job."""
    end = time.monotonic() + LONG
    while job.worker is None:
        assert time.monotonic() < end
        time.sleep(0.01)
    return job.worker.process_id


def expect_gone(*processes: int) -> None:
    """Wait until there are no such processes; one that has ended may not have been noticed yet."""
    end = time.monotonic() + LONG
    while there := [each for each in processes if is_there(each)]:
        assert time.monotonic() < end, f"{there} are still there"
        time.sleep(0.02)


def is_there(number: int) -> bool:
    try:
        with open(f"/proc/{number}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def parent_of(number: int) -> int:
    with open(f"/proc/{number}/stat") as file:
        return int(file.read().rpartition(")")[2].split()[1])


def told(app: AppTest) -> dict[str, Any]:
    """What the browser is told in the end: it asks as long as the page is being made."""
    end = time.monotonic() + LONG
    while "working" in (stage := stage_of(app)) and time.monotonic() < end:
        ask(app)
    return stage


def test_a_page_that_would_take_too_much_says_so_and_keeps_its_parameters(made, monkeypatch):
    monkeypatch.setattr(render_jobs, "WORKERS", made)
    asked = {"releases": "gaussian:3*7;laplace:.2*9", "runs": "3"}
    monkeypatch.setattr(made, "_limits", Limits(0.001, 60_000_000))
    app = opened(site_map.COMPOSITION.script, **asked)
    stage = told(app)
    assert "more than 2 s of processor time" in stage["answer"][0]
    assert charts_of(app) == {}
    assert asked.items() <= link_of(app).items()
    assert stage["fields"]["runs"]["used"] == "3"
    assert stage["view"].endswith("&refused=time")
    monkeypatch.setattr(made, "_limits", Limits(60, 500_000_000))
    told(ask(app, set={"runs": "4"}))
    assert "costs" in charts_of(app)


def test_results_from_uploaded_files_are_computed_in_a_worker_and_cached_with_the_files_alone(
    background_made, monkeypatch
):
    monkeypatch.setattr(background_made, "_limits", Limits(60, 500_000_000))
    taken = Upload(Counts(pd.DataFrame({"cell": ["a", "b", "c"], "count": [5.0, 7.0, 100.0]}), "mine"))
    one, other = (UploadedFiles(mark, (taken,)) for mark in ("one", "other"))
    wish = RenderRequest(site_map.TABLES.script, (("table", "own"), ("section", "table")), "light", uploads=one)
    stage = render_jobs.render_uncached(wish, "me").content
    assert stage == wish()
    while (found := render_jobs.render_stage(wish, "me")).content is None:
        assert not found.refusal
    assert one.cache.find(wish) == found.content == stage
    assert wish == replace(wish, uploads=UploadedFiles("one")) != replace(wish, uploads=other)
    assert render_jobs._stage_cache.find(wish) is None


def test_points_of_a_session_s_file_are_drawn_by_a_worker(background_made, monkeypatch):
    monkeypatch.setattr(background_made, "_limits", Limits(60, 500_000_000))
    points = {"file1": Points(np.array([0.0, 0.5, 1.0]), np.array([1.0, 0.2, 0.0]))}
    wish = RenderRequest(
        site_map.TRADEOFF.script,
        (("curves", "!points:file1@blue=Mine"),),
        "light",
        uploads=UploadedFiles("mark", (None, points)),
    )
    made = render_jobs.render_uncached(wish, "me").content or b""
    assert made == wish()
    assert "Mine" in packing.unpack(made)["answer"][0]


def test_a_page_of_one_s_own_files_that_would_take_too_much_says_so(background_made, monkeypatch):
    app = opened(site_map.TABLES.script, section="release", repeated="on")
    monkeypatch.setattr(background_made, "_limits", Limits(0.001, 200_000_000))
    cells = [str(place) for place in range(200_000)]
    taken = Upload(Counts(pd.DataFrame({"cell": cells, "count": np.arange(200_000.0)}), "mine"))
    app.session_state["dp_uploads"]["table_result"] = TableResult(taken, file=OwnTableFile(b"", ""))
    enter(app, "table", "own")
    assert "more than 2 s of processor time" in told(app)["answer"][0]


def test_a_file_is_read_in_a_worker_which_tells_how_far_it_is(background_made, monkeypatch):
    monkeypatch.setattr(background_made, "_limits", Limits(60, 60_000_000))
    shares = []
    assert render_jobs.read_file(partial(counted, 0.5), shares.append) != os.getpid()
    assert 0.5 in shares


@pytest.mark.parametrize(("make", "sentence"), [(partial(spin, 60), "than 2 s"), (partial(fill, 500), "than 200 MB")])
def test_a_file_whose_reading_would_take_too_much_is_refused_in_a_sentence(
    background_made, monkeypatch, make, sentence
):
    monkeypatch.setattr(background_made, "_limits", LITTLE)
    with pytest.raises(ValueError, match=sentence):
        render_jobs.read_file(make, lambda _: None)


def test_what_is_wrong_with_a_file_is_said_as_without_workers(background_made):
    with pytest.raises(ValueError, match=r"^line 1: beta is 0.95, above 1 − alpha = 0.9"):
        render_jobs.read_file(partial(points_of_file, b"0.1,0.95\n0.5,0.2"), lambda _: None)


def test_a_page_that_reads_a_file_in_a_worker_holds_what_it_holds_without_workers(background_made):
    file = OwnTableFile(b"name;count\nNorth;12\nSouth;3\n", "a.csv")
    read = render_jobs.read_file(partial(read_file, file), lambda _: None)
    assert (read.linkable, read.sentences) == ("North=12;South=3", read_file(file, Progress(lambda _: None)).sentences)


def test_items_of_a_report_are_made_by_workers_and_too_costly_ones_say_so_in_their_place(background_made, monkeypatch):
    listed = "Gaussian_bounds/ratio?epsilon=10~Accuracy/answer~Composition/costs~Tables/cells?table=czech"
    items = {"items": listed}
    monkeypatch.setattr(background_made, "_limits", Limits(60, 500_000_000))
    app = opened(site_map.REPORT.script, **items)
    end = time.monotonic() + LONG
    while app.session_state["dp_uploads"].get("report_work") is not None and time.monotonic() < end:
        app.run()
    rebuilt_items = app.session_state["dp_uploads"]["report_pieces"].items
    assert len(rebuilt_items) == 4
    assert all(rebuilt.proofs == rebuild(item).proofs for item, rebuilt in rebuilt_items.items())
    assert [part["kind"] for part in stage_of(app)["parts"] if "html" not in part].count("item") == 4
    monkeypatch.setattr(background_made, "_limits", Limits(0.001, 500_000_000))
    result = report.ReportResult(
        "",
        "",
        ReportItems().read("Composition/answer?releases=gaussian%3A3%2A7%3Blaplace%3A.2%2A9"),
        report.RebuiltItems(),
    )
    refusals = {}
    assert not report.rebuild_missing(result.missing, 60.0, 0, refusals.__setitem__, lambda share: None, "me")
    assert set(refusals.values()) == {"time"}
    refused = replace(result, rebuilt=report.RebuiltItems({}, refusals))
    assert refused.missing == ()
    (_, _, first, *_) = load_page(site_map.REPORT).section_by_key["report"].parts(refused, {})
    assert isinstance(first, ReportEntry)
    assert first.parts == (TOO_MUCH["time"],)


def test_a_page_says_that_it_is_being_made_until_it_is_there_or_nobody_waits(made, monkeypatch):
    monkeypatch.setattr(render_jobs, "WORKERS", made)
    monkeypatch.setattr(made, "_limits", Limits(60, 500_000_000))
    monkeypatch.setattr(render_jobs, "WAIT", 0.0)
    monkeypatch.setattr(render_jobs, "PATIENCE", 0)
    slow = ";".join(f"sampled:{1 + place / 100}e-3,.5*100" for place in range(20))  # seconds
    app = opened(site_map.COMPOSITION.script, releases=slow)
    assert stage_of(app)["working"][1] == 2
    assert "parts" not in stage_of(app)
    ask(app, stop=True)
    assert "You stopped" in stage_of(app)["answer"][0]
    assert "You stopped" in stage_of(ask(app))["answer"][0]
    told(ask(app, set={"releases": "gaussian:3*8;laplace:.2*9"}))
    assert "costs" in charts_of(app)
