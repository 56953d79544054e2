"""Render jobs: pages, files and reports whose work is done by workers."""

import os
import time
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from pages.framework.export.report_items import rebuild
from pages.framework.layout import page_run
from pages.framework.layout.page import load_page
from pages.framework.layout.section import ReportEntry
from pages.framework.rendering import render_jobs
from pages.framework.rendering import stage as rendering_stage
from pages.framework.rendering.render import RenderRequest
from pages.framework.rendering.uploaded_files import UploadedFiles
from pages.framework.rendering.workers.jobs import Job, Limits, Progress
from pages.framework.rendering.workers.pool import Workers
from pages.framework.session import session_state
from pages.framework.session.data_files import DataFiles, ReadData
from pages.framework.session.session_state import Held
from pages.report import results as report
from pages.report.parameters import ReportItems
from pages.report.text import TOO_MUCH
from pages.shared import site_map
from pages.shared.counts.table import Counts, Upload
from pages.shared.counts.upload import CHOICES, read_upload
from pages.tradeoff.curve_kinds import Points, points_of_file
from tests.pages.conftest import ask, charts_of, enter, link_of, open_page, stage_of
from tests.pages.framework.pools import LITTLE, LONG
from tests.pages.framework.worker_tasks import (
    counted,
    fill,
    process,
    spin,
    vanish,
)


def test_a_page_and_a_file_say_so_when_their_workers_die(render_pool, monkeypatch):
    def start(_make, *rest, **more):
        return Workers.start(render_pool, vanish, *rest, **more)

    monkeypatch.setattr(render_pool, "start", start)
    app = open_page(site_map.GAUSSIAN_BOUNDS.script, epsilon="1.2345")
    stage = stage_when_ready(app)
    assert not app.exception
    assert "has ended without a result" in stage["answer"][0]
    assert stage["fields"]["epsilon"]["used"] == "1.2345"
    with pytest.raises(ValueError, match="upload the file again"):
        render_jobs.read_file(process, lambda _: None)


def stage_when_ready(app: AppTest) -> dict[str, Any]:
    """Return the stage that the browser gets in the end: it asks again as long as the page is in work."""
    end = time.monotonic() + LONG
    while "working" in (stage := stage_of(app)) and time.monotonic() < end:
        ask(app)
    return stage


def test_a_page_beyond_its_limits_says_so_and_keeps_its_parameters(pool, monkeypatch):
    monkeypatch.setattr(render_jobs, "WORKERS", pool)
    link = {"releases": "gaussian:3*7;laplace:.2*9", "runs": "3"}
    monkeypatch.setattr(pool, "_limits", Limits(0.001, 60_000_000))
    app = open_page(site_map.COMPOSITION.script, **link)
    stage = stage_when_ready(app)
    assert "more than 2 s of processor time" in stage["answer"][0]
    assert charts_of(app) == {}
    assert link.items() <= link_of(app).items()
    assert stage["fields"]["runs"]["used"] == "3"
    assert stage["view"].endswith("&refused=time")
    monkeypatch.setattr(pool, "_limits", Limits(60, 500_000_000))
    stage_when_ready(ask(app, set={"runs": "4"}))
    assert "costs" in charts_of(app)


def test_neighbouring_settings_wait_for_the_requests_of_other_sessions(render_pool, monkeypatch):
    monkeypatch.setattr(render_pool, "_limits", Limits(60, 500_000_000))
    monkeypatch.setattr(page_run, "PREFETCH_TIME", LONG)
    app = open_page(site_map.GAUSSIAN_BOUNDS.script)
    with render_pool._first_lane.turn_of(Job(process, "", "a", LITTLE, lambda *_: None)):
        stage = stage_of(ask(app, prefetch=[{"epsilon": "1.2"}]))
    assert (stage["busy"], stage["others"]) == (True, [])
    stage = stage_of(ask(app, prefetch=[{"epsilon": "1.2"}]))
    assert (stage["busy"], [name for name, _ in stage["others"]]) == (False, [["prefetched", {"epsilon": "1.2"}]])


def test_a_stage_of_uploaded_files_is_cached_with_these_files_only(render_pool, monkeypatch):
    monkeypatch.setattr(render_pool, "_limits", Limits(60, 500_000_000))
    upload = Upload(Counts(pd.DataFrame({"cell": ["a", "b", "c"], "count": [5.0, 7.0, 100.0]}), "mine"))
    files, other = (UploadedFiles(mark, (upload,)) for mark in ("one", "other"))
    request = RenderRequest(site_map.TABLES.script, (("table", "own"), ("section", "table")), "light", uploads=files)
    stage = render_jobs.render_uncached(request, "me").content
    assert stage == request()
    while (outcome := render_jobs.render_stage(request, "me")).content is None:
        assert not outcome.refusal
    assert files.cache.find(request) == outcome.content == stage
    assert request == replace(request, uploads=UploadedFiles("one")) != replace(request, uploads=other)
    assert render_jobs._stage_cache.find(request) is None


def test_a_worker_draws_the_points_of_an_uploaded_file(render_pool, monkeypatch):
    monkeypatch.setattr(render_pool, "_limits", Limits(60, 500_000_000))
    points = {"file1": Points(np.array([0.0, 0.5, 1.0]), np.array([1.0, 0.2, 0.0]))}
    request = RenderRequest(
        site_map.TRADEOFF.script,
        (("curves", "!points:file1@blue=Mine"),),
        "light",
        uploads=UploadedFiles("mark", (None, points)),
    )
    stage = render_jobs.render_uncached(request, "me").content or b""
    assert stage == request()
    assert "Mine" in rendering_stage.unpack(stage)["answer"][0]


def test_a_page_of_uploaded_files_beyond_its_limits_says_so(render_pool, monkeypatch):
    app = open_page(site_map.TABLES.script, section="release", repeated="on", contribution="once", fixed="yes")
    monkeypatch.setattr(render_pool, "_limits", Limits(0.001, 200_000_000))
    cells = [str(place) for place in range(200_000)]
    upload = Upload(Counts(pd.DataFrame({"cell": cells, "count": np.arange(200_000.0)}), "mine"))
    app.session_state["dp_session"].uploads["table"] = Held(DataFiles(), ReadData(upload), is_read=True)
    enter(app, "table", "own")
    assert "more than 2 s of processor time" in stage_when_ready(app)["answer"][0]


def test_a_worker_reads_a_file_and_reports_its_progress(render_pool, monkeypatch):
    monkeypatch.setattr(render_pool, "_limits", Limits(60, 60_000_000))
    shares = []
    assert render_jobs.read_file(partial(counted, 0.5), shares.append) != os.getpid()
    assert 0.5 in shares


@pytest.mark.parametrize(("make", "sentence"), [(partial(spin, 60), "than 2 s"), (partial(fill, 500), "than 200 MB")])
def test_a_file_whose_reading_exceeds_the_limits_is_refused_in_a_sentence(render_pool, monkeypatch, make, sentence):
    monkeypatch.setattr(render_pool, "_limits", LITTLE)
    with pytest.raises(ValueError, match=sentence):
        render_jobs.read_file(make, lambda _: None)


def test_a_file_whose_session_ends_while_it_is_read_is_refused_in_a_sentence(render_pool, monkeypatch):
    monkeypatch.setattr(render_pool, "_limits", Limits(60, 500_000_000))
    with pytest.raises(ValueError, match="ended without a result"):
        render_jobs.read_file(partial(counted, 5), lambda _: render_pool.renew(session_state.session().id))


def test_a_worker_refuses_a_file_with_the_same_sentence_as_without_workers(render_pool):
    with pytest.raises(ValueError, match=r"^line 1: beta is 0.95, above 1 − alpha = 0.9"):
        render_jobs.read_file(partial(points_of_file, b"0.1,0.95\n0.5,0.2"), lambda _: None)


def test_a_file_read_in_a_worker_gives_the_same_result_as_without_workers(render_pool):
    files = DataFiles({"file": ("a.csv", b"name;count\nNorth;12\nSouth;3\n")}, CHOICES)
    read = render_jobs.read_file(partial(read_upload, files), lambda _: None)
    assert (read.link_text, read.notes) == ("North=12;South=3", read_upload(files, Progress(lambda _: None)).notes)


def test_workers_make_the_items_of_a_report_and_items_beyond_the_limits_say_so(render_pool, monkeypatch):
    listed = "Gaussian_bounds/ratio?epsilon=10~Accuracy/answer~Composition/costs~Tables/cells?table=czech"
    items = {"items": listed}
    monkeypatch.setattr(render_pool, "_limits", Limits(60, 500_000_000))
    app = open_page(site_map.REPORT.script, **items)
    end = time.monotonic() + LONG
    while app.session_state["dp_session"].uploads.get("report_work") is not None and time.monotonic() < end:
        app.run()
    rebuilt_items = app.session_state["dp_session"].uploads["report_pieces"].items
    assert len(rebuilt_items) == 4
    assert all(rebuilt.proofs == rebuild(item).proofs for item, rebuilt in rebuilt_items.items())
    assert [part["kind"] for part in stage_of(app)["parts"] if "html" not in part].count("item") == 4
    monkeypatch.setattr(render_pool, "_limits", Limits(0.001, 500_000_000))
    result = report.ReportResult(
        "",
        "",
        ReportItems().read("Composition/answer?releases=gaussian%3A3%2A7%3Blaplace%3A.2%2A9"),
        report.RebuiltItems(),
    )
    refusals = {}
    assert not report.rebuild_missing(
        dict.fromkeys(result.missing), 60.0, 0, refusals.__setitem__, lambda share: None, "me"
    )
    assert set(refusals.values()) == {"time"}
    refused = replace(result, rebuilt=report.RebuiltItems({}, refusals))
    assert refused.missing == ()
    parts = load_page(site_map.REPORT).section_by_key["report"].parts(refused, {})
    first = next(part for part in parts if isinstance(part, ReportEntry))
    assert first.parts == (TOO_MUCH["time"],)


def test_a_page_shows_its_progress_until_it_is_ready_or_stopped(pool, monkeypatch):
    monkeypatch.setattr(render_jobs, "WORKERS", pool)
    monkeypatch.setattr(pool, "_limits", Limits(60, 500_000_000))
    monkeypatch.setattr(render_jobs, "WAIT", 0.0)
    monkeypatch.setattr(render_jobs, "PATIENCE", 0)
    slow = ";".join(f"sampled:{1 + place / 100}e-3,.5*100" for place in range(20))  # seconds
    app = open_page(site_map.COMPOSITION.script, releases=slow)
    assert stage_of(app)["working"][1] == 2
    assert "parts" not in stage_of(app)
    ask(app, stop=True)
    assert "You stopped" in stage_of(app)["answer"][0]
    assert "You stopped" in stage_of(ask(app))["answer"][0]
    stage_when_ready(ask(app, set={"releases": "gaussian:3*8;laplace:.2*9"}))
    assert "costs" in charts_of(app)
