"""What of Experiment 5.2 is drawn in the background, as the page offers it."""

from time import sleep

import pytest

from pages.framework.rendering.render_jobs import BackgroundTask
from pages.framework.rendering.workers.jobs import Progress
from pages.papers.balle_means import results
from tests.pages.conftest import charts_of, enter, open_page, text_of
from tests.pages.papers.background_widgets import finish_task, labels, press

PAGE = "pages/12_Papers_reproduced.py"
LINK = {"section": "means", "means_grid": "own", "mean_records": "120", "mean_repeats": "12"}


@pytest.fixture(autouse=True)
def _few_numbers_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw at once a tenth of what a page draws, so that a tenth of the records is as many data sets."""
    monkeypatch.setattr(results, "MOST_NUMBERS_AT_ONCE", results.MOST_NUMBERS_AT_ONCE // 10)


def test_draws_that_take_long_are_made_on_request_and_cached_for_every_epsilon():
    app = open_page(PAGE, **LINK)
    assert "Means of 6 of 12 data sets for each d." in text_of(app)
    finish_task(press(app, "means_run"), "means_task")
    assert "Means of 12 data sets for each d." in text_of(app)
    assert "Means of 6 of 12" not in text_of(app)
    enter(app, "epsilon", "0.3")
    assert "Means of 6 of 12" not in text_of(app)
    assert "Run the experiment" not in labels(app)
    enter(app, "seed", "7")
    assert "Means of 6 of 12" in text_of(app)
    assert {"mean_errors", "mean_error_ratios"} <= set(charts_of(app))


def test_the_simulation_can_be_stopped_and_a_failure_gets_a_sentence():
    app = open_page(PAGE, **LINK)

    def endless(progress: Progress) -> None:
        while True:
            progress.report(0.25)
            sleep(0.01)

    def fails(_: Progress) -> None:
        raise ValueError("no room")

    app.session_state["dp_session"].uploads["means_task"] = BackgroundTask("means", endless)
    app.run()
    assert "Stop" in labels(app)
    assert app.button(key="means_run").disabled
    finish_task(press(app, "means_stop"), "means_task")
    assert "Stop" not in labels(app)
    assert "Means of 6 of 12" in text_of(app)
    app.session_state["dp_session"].uploads["means_task"] = BackgroundTask("means", fails)
    finish_task(app, "means_task")
    assert "It failed: no room." in text_of(app)
