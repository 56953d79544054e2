"""A release with numbers that the user computes, with the real OpenDP: its map, its errors, and what is said."""

import csv
import json
import math

import numpy as np
import pytest

from tests.pages.shared.test_release_own import PLAN, program_in
from tests.peers.test_release_program import run
from tests.programs import downloaded

N_RELEASES = 1000


@pytest.mark.parametrize("promise", ["delta", "pure"])
def test_the_map_of_opendp_and_a_thousand_releases_are_those_of_the_sensitivities(tmp_path, promise):
    program, source, _ = program_in(tmp_path, promise)
    plan, opendp = program["PLAN"], program["opendp_module"]()
    for each in plan["statistics"]:
        is_gaussian = program["is_gaussian"](each)
        planned = each["l2"] ** 2 / (2 * each["scale"] ** 2) if is_gaussian else each["l1"] / each["scale"]
        privacy = program["measurement_of"](opendp, each).map(1)
        assert planned * (1 - 1e-5) <= privacy <= planned * (1 + 1e-9)
    aggregates, composition = program["aggregates_of"](plan, source), program["composition_of"](plan)
    assert plan["epsilon"] * (1 - 2e-6) <= composition.epsilon
    assert composition.epsilon <= plan["epsilon"] * (1 + 1e-9) or plan["delta"]
    releases = [composition.invoke(aggregates) for _ in range(N_RELEASES)]
    for place, each in enumerate(plan["statistics"]):
        noisy = np.array([release[place] for release in releases], dtype=float)
        errors = (noisy - np.array(aggregates[each["name"]], dtype=float)) * program["step_of"](each)
        within = np.abs(errors) <= each["half_width"] * (1 + program["MARGIN"])
        assert within.mean() >= 0.95 - 4 * math.sqrt(0.05 * 0.95 / within.size), each["name"]


@pytest.mark.parametrize("parts", [(), ("--parts", "2")])
def test_a_program_publishes_computed_numbers_beside_counted_ones(tmp_path, parts):
    _, _, arguments = program_in(tmp_path)
    code = downloaded(PLAN.format("delta"))
    done = run(code, tmp_path, *arguments, *parts)
    assert done.returncode == 0, done.stderr
    rows = [*csv.DictReader((tmp_path / "out/release-1.csv").read_text(encoding="utf-8").splitlines())]
    assert [row["statistic"] for row in rows] == ["People", "Index", "Index", "Cases"]
    assert abs(float(rows[2]["number"]) - 1000) <= 4 * float(rows[2]["plus_minus"])
    said = json.loads((tmp_path / "out/release-1.json").read_text(encoding="utf-8"))
    assert [text.partition(";")[0] for text in said["assumptions"]] == [
        "Index: computed elsewhere",
        "Cases: computed elsewhere",
    ]
    assert "Index: computed elsewhere; one person is said to move" in said["statement"]
    assert "-2.5" not in code
