"""Which picture a step of a demonstration has, and what it hides of it, since it would tell what is asked."""

import pytest

from pages.framework.link import steps_by_name
from pages.framework.parameters.kinds import Choice
from tests.pages.conftest import lead_name, link_of, open_page, parts_of, stage_of, topic_named

LEADS = {name: step for name, step in steps_by_name().items() if not step.picture}
"""The steps of which the first picture of the page is shown."""


@pytest.mark.parametrize("name", LEADS)
def test_a_step_has_its_picture_whichever_section_and_picture_its_page_opens_with(name):
    step = LEADS[name]
    topic = step.page.topic or "start"
    lead = lead_name(topic, **step.entries)
    for parameter in topic_named(topic).own_parameters:
        if isinstance(parameter, Choice) and parameter.key not in step.entries:
            others = {lead_name(topic, **step.entries, **{parameter.key: option}) for option in parameter.options}
            assert others == {lead}, f"the step must name its “{parameter.key}”"


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
