"""Adult from a file or from UCI, and what is made in the background, as the page offers it."""

import re
import sys
from time import sleep

import pytest

from dpcore import readers
from pages.framework.rendering.render_jobs import BackgroundTask
from pages.framework.rendering.workers.jobs import Progress
from tests.pages.conftest import charts_of, enter, open_page, stage_of, text_of
from tests.pages.papers.background_widgets import finish_task, labels, press

PAGE = "pages/12_Papers_reproduced.py"
LINE = "{}, Private, 77516, Bachelors, 13, Single, Sales, Own-child, White, Male, 0, 0, 40, Cuba, {}50K"
ADULT = "\n".join(LINE.format(age, ">" if age > 39 else "<=") for age in [*range(20, 60)] * 3).encode()
LONG = {"grid": "own", "repeats": "5000", "paper_epsilons": "0.1,0.2,0.3,0.5,1,2", "paper_deltas": "0.01,0.05,0.1"}


def with_field(**link):
    app = open_page(PAGE, section="tables", data="adult", **link)
    app.session_state.adult_box = True
    return app.run()


def bring(app, data=ADULT, name="adult.data"):
    app.file_uploader(key="adult_file").upload(name, data, "text/csv").run()
    assert not app.exception
    return app


def test_the_page_requests_the_adult_data_and_draws_them_when_they_are_uploaded():
    app = with_field()
    assert charts_of(app) == {}
    bring(app)
    assert {"released", "distances"} <= set(charts_of(app))
    assert re.search(r"\d\d cells that occur in 80 records", charts_of(app)["released"]["subtitle"])
    assert "held" in stage_of(app)["view"]
    press(app, "adult_away")
    assert charts_of(app) == {}


def test_another_file_gets_one_sentence_and_what_was_held_is_gone():
    app = bring(with_field())
    bring(app, b"a,b\n", "other.csv")
    assert "other.csv cannot be read as Adult: line 1: 2 entries where Adult has 15." in text_of(app)
    assert charts_of(app) == {}


def test_adult_is_fetched_or_a_sentence_says_why_not(monkeypatch):
    def unreachable() -> bytes:
        raise ConnectionError("Adult could not be fetched from there (no network): give adult.data as a file instead")

    monkeypatch.setattr(readers, "download_adult", unreachable)
    app = press(with_field(), "adult_fetch")
    assert "(no network): give adult.data as a file instead." in text_of(app)
    monkeypatch.setattr(readers, "download_adult", lambda: ADULT)
    press(app, "adult_fetch")
    assert "no network" not in text_of(app)
    assert "released" in charts_of(app)


def test_results_that_take_long_are_computed_on_request():
    app = bring(with_field(**LONG))
    assert "distances" not in charts_of(app)
    assert "This experiment has not been run yet" in text_of(app)
    finish_task(press(app, "paper_run"), "paper_task")
    assert "distances" in charts_of(app)
    assert "Run the experiment" not in labels(app)
    enter(app, "seed", "7")
    assert "distances" not in charts_of(app)
    assert "Run the experiment" in labels(app)


def test_the_table_of_the_page_has_no_field_for_adult():
    app = open_page(PAGE, section="tables")
    assert labels(app) == []
    assert "distances" in charts_of(app)


def test_support_vector_machines_are_trained_on_request_and_their_scores_drawn():
    app = bring(with_field(epsilon="5", delta="0.1"))
    assert "svm" not in charts_of(app)
    finish_task(press(app, "paper_svm"), "paper_task")
    assert "svm" in charts_of(app)


def test_a_page_in_work_can_be_stopped():
    app = bring(with_field(**LONG))

    def endless(report: Progress) -> None:
        while True:
            report.report(0.25)
            sleep(0.01)

    app.session_state["dp_session"].uploads["paper_task"] = BackgroundTask("experiment", endless)
    app.run()
    assert "Stop" in labels(app)
    assert app.button(key="paper_run").disabled
    press(app, "paper_stop")
    finish_task(app, "paper_task")
    assert "Stop" not in labels(app)
    assert not app.button(key="paper_run").disabled


def test_without_scikit_learn_a_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn.svm", None)
    app = finish_task(press(bring(with_field()), "paper_svm"), "paper_task")
    assert "the support vector machine needs scikit-learn: pip install scikit-learn." in text_of(app)


def test_a_failure_in_the_background_gets_a_sentence():
    app = bring(with_field(**LONG))

    def fails(_: Progress) -> None:
        raise ValueError("no room")

    app.session_state["dp_session"].uploads["paper_task"] = BackgroundTask("experiment", fails)
    finish_task(app, "paper_task")
    assert "It failed: no room." in text_of(app)


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04" + b"\0" * 50])
def test_an_empty_or_foreign_file_gets_a_sentence(data):
    app = bring(with_field(), data)
    assert "adult.data cannot be read as Adult: line 1:" in text_of(app)
