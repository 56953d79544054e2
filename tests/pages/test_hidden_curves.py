"""What a step of a demonstration hides of its picture, since it would tell what is asked; other pages have no step."""

import pytest

from pages.framework.link import steps_by_name
from tests.pages.conftest import link_of, open_page, parts_of, stage_of


@pytest.mark.parametrize("name", steps_by_name())
def test_the_curves_that_a_step_hides_are_curves_of_its_picture(name):
    charts = [
        part["figure"] for part in parts_of(open_page(steps_by_name()[name].page.script, demo=name)) if "figure" in part
    ]
    groups = {trace.get("legendgroup") or trace.get("name") for chart in charts for trace in chart["data"]}
    assert set(steps_by_name()[name].hidden) <= groups


def test_a_page_without_a_demonstration_has_the_address_that_it_had():
    app = open_page("pages/1_Gaussian_bounds.py")
    assert "demo" not in link_of(app)
    assert stage_of(app)["demo"] is None
