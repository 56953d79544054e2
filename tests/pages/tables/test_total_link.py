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
    ("link", "kind", "count"),
    [
        ({}, "geometric", 1),
        (ALIKE, "geometric", 4),
        (ALIKE | {"mechanism": "laplace"}, "laplace", 4),
        ({"table": "size", "cells": "1e5", "per_person": "1e5"}, "pure", 1),
        (ALIKE | {"margins": "1", "mechanism": "laplace"}, "pure", 1),
        (APPROXIMATE | {"mechanism": "analytic", "per_person": "4"}, "gaussian", 1),
        (APPROXIMATE | {"mechanism": "discrete_gaussian", "per_person": "4"}, "discrete", 4),
        (APPROXIMATE | {"mechanism": "truncated_geometric"}, "approx", 1),
    ],
)
def test_the_total_with_other_releases_opens_a_line_of_the_noise_of_this_table(link, kind, count):
    result = found_by("tables", section="table", others="some", **link)
    listed = list_of(result)
    (line,), (release,) = listed.values["releases"], listed.single_run
    name = "My table" if count == 1 else f"My table ({count} numbers a person)"
    assert (line.kind, line.name, release.count) == (kind, name, count)
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
