"""The total of a table and other releases: its answer says that it is larger, and its list begins with the noise."""

import re
from urllib.parse import parse_qsl

import pytest

from dpcore import composition
from tests.pages.conftest import found_by, topic_named

PAGE = topic_named("tables")
APPROXIMATE, ALIKE = {"promise": "delta"}, {"per_person": "4", "per_cell": "2", "per_total": "8"}


def list_of(result):
    (query,) = re.findall(r"\(\./Composition\?([^)]*)\)", " ".join(PAGE.answer_text(result)))
    return found_by("composition", **dict(parse_qsl(query)))


@pytest.mark.parametrize(
    ("link", "kind"),
    [
        ({}, "geometric"),
        ({"mechanism": "laplace", "per_person": "1", "per_cell": "3", "contribution": "limited"}, "laplace"),
        (ALIKE, "pure"),
        (ALIKE | {"mechanism": "laplace"}, "pure"),
        (ALIKE | {"margins": "1", "mechanism": "laplace"}, "pure"),
        (APPROXIMATE | {"mechanism": "analytic", "per_person": "4"}, "gaussian"),
        (APPROXIMATE | {"mechanism": "discrete_gaussian"}, "discrete"),
        (APPROXIMATE | {"mechanism": "discrete_gaussian", "per_person": "4"}, "approx"),
        (APPROXIMATE | {"mechanism": "truncated_geometric"}, "approx"),
    ],
)
def test_the_total_with_other_releases_opens_a_line_of_this_table_that_is_released_once(link, kind):
    result = found_by("tables", section="table", others="some", **link)
    listed = list_of(result)
    (line,), (release,) = listed.values["releases"], listed.single_run
    assert (line.kind, line.name, release.count) == (kind, "My table", 1)  # which a user counts the years in
    alone = composition.epsilon([release], result.mechanism.delta or 1e-9).value
    assert float(alone) == pytest.approx(result.setting.epsilon, rel=1e-5)


@pytest.mark.parametrize("section", ["table", "release", "mechanisms"])
@pytest.mark.parametrize("link", [{}, APPROXIMATE | {"mechanism": "analytic"}])
@pytest.mark.parametrize("more", ["some", "yearly"])
def test_a_table_beside_other_releases_is_said_to_have_a_smaller_epsilon_than_all_of_them(section, link, more):
    alone, beside = (
        " ".join(PAGE.answer_text(found_by("tables", section=section, others=others, **link))).lower()
        for others in ("none", more)
    )
    assert "if the conditions hold" not in beside
    assert "the total ε is larger" not in alone
    if section != "mechanisms":
        assert "if the conditions hold, this satisfies" in alone
        assert "if the other conditions hold, this release satisfies" in beside
        assert "the total ε is larger" in beside
