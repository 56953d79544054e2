"""Programs of plans in which several records of a person count: the limits, OpenDP's map, and a thousand releases."""

import csv
import math
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from dpcore import quantiles
from tests.programs import downloaded, namespace_of

N_RELEASES = 1000
PEOPLE = {f"p{place}": 1 + place % 6 for place in range(400)}
"""How many records each person has."""
ROWS = (
    "count:20*cap:3=Visits;sum:300,-5,40*cap:3=Costs;mean:2,0,60,900*cap:3=Age;proportion:0.05,900*cap:3=Share;"
    "mean:4,0,60,900*hidden,cap:2=Hidden;histogram:25,4*cap:3=Wards;quantile:3,0.5,0,60,10,20,45,900*cap:3=Wait"
)
SETTINGS = tuple(
    f"/Plan?queries={rows}&promise={promise}&neighbours={neighbours}"
    for rows, promise, neighbours in (
        (ROWS, "delta", "add_remove"),
        (ROWS, "pure", "add_remove"),
        ("count:20*cap:3=Visits;sum:900,10,40*cap:3=Costs", "pure", "replace"),
        ("count:20*cap:3@discrete_gaussian=Visits;sum:300,0,40*cap:3@gaussian=Costs", "delta", "add_remove"),
    )
)
OF_MEDIAN = "contribution=limited&per_total=3&low=0&high=60&median=20&p90=45&n_records=900"
MEDIANS = (
    f"/A_median?{OF_MEDIAN}&step=10",
    f"/A_median?{OF_MEDIAN}&section=several&epsilon=3",
    f"/A_median?{OF_MEDIAN}&section=several&quantiles=0.5,0.9&neighbours=replace&significance=0.01&epsilon=0.3",
)
"""One quantile; several that are read off a histogram; and several, each by itself."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the records as a CSV file, and the public list of the wards."""
    folder, rng = tmp_path_factory.mktemp("records"), np.random.default_rng(57)
    rows = [[name, place % 4, rng.integers(-20, 80), place % 2] for name, n in PEOPLE.items() for place in range(n)]
    with (folder / "visits.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([["person", "ward", "value", "flag"], *rng.permutation(np.array(rows)).tolist()])
    (folder / "wards.csv").write_text("ward\n0\n1\n2\n3\n", encoding="utf-8")
    return folder


def read(setting: str, folder: Path, n_parts: int = 0) -> tuple[dict[str, Any], Any, dict[str, Any]]:
    """Return the program of a setting, its source, and what it adds up of the file by the names of the statistics."""
    program = namespace_of(downloaded(setting))
    plan, columns = program["PLAN"], {"Share": "flag", "Wards": "ward"}
    arguments = [str(folder / "visits.csv"), "--person", "person"]
    for each in plan["statistics"]:
        own = f"{each['name']}={columns.get(each['name'], 'value')}"
        arguments += [] if each["kind"] == "count" else ["--column", own]
        arguments += ["--categories", f"{each['name']}={folder / 'wards.csv'}"] if each["kind"] == "table" else []
    source = program["source_of"](program["options_of"](arguments), plan)
    program["checked_columns"](plan, source)
    tallies = program["large_tallies"](plan, source, n_parts) if n_parts else program["tallies_of"](plan, source, [])
    return program, source, tallies


@pytest.mark.parametrize("n_parts", [0, 3])
def test_of_each_person_as_many_records_count_as_the_plan_allows(folder, n_parts):
    program, _, tallies = read(SETTINGS[0], folder, n_parts)
    for each in program["PLAN"]["statistics"]:
        most = 2 if each["name"] == "Hidden" else 3
        assert (each["max_in_cell"], each["max_in_all"]) == (most, most)
        assert tallies[each["name"]].n == sum(min(n, most) for n in PEOPLE.values())
    counts = tallies["Wards"].cells
    assert counts.total() == tallies["Visits"].n
    assert min(counts.values()) > 0


def test_which_records_of_a_person_count_is_left_to_chance_whatever_their_values_and_order():
    program = namespace_of(downloaded(SETTINGS[2]))
    statistic = program["PLAN"]["statistics"][1]
    entries = [SimpleNamespace(person="p", cell=0, value=float(place), period="") for place in range(6)]
    kept = Counter(entry.value for _ in range(N_RELEASES) for entry in program["limited"](entries, statistic))
    assert kept.total() == 3 * N_RELEASES
    spread = 4 * math.sqrt(N_RELEASES / 4)
    assert all(abs(n - N_RELEASES / 2) <= spread for n in kept.values())


@pytest.mark.parametrize("setting", SETTINGS + MEDIANS)
def test_the_map_of_opendp_is_the_privacy_of_several_records_of_a_person(setting):
    program = namespace_of(downloaded(setting))
    plan, opendp = program["PLAN"], program["opendp_module"]()
    for each in plan["statistics"]:
        privacy = program["measurement_of"](opendp, each).map(1)
        if each["choice"]:
            assert privacy == each["choice"]["epsilon"]
            continue
        is_gaussian = program["is_gaussian"](each)
        planned = each["l2"] ** 2 / (2 * each["scale"] ** 2) if is_gaussian else each["l1"] / each["scale"]
        assert privacy == pytest.approx(planned, rel=1e-5)
        assert privacy <= planned * (1 + 1e-9)
    epsilon = program["composition_of"](plan).epsilon
    assert plan["epsilon"] * (1 - 2e-6) <= epsilon
    assert epsilon <= plan["epsilon"] * (1 + 1e-9) or plan["delta"]


def shares_within(program: dict[str, Any], aggregates: dict[str, Any]) -> Iterator[tuple[dict[str, Any], np.ndarray]]:
    """Yield each statistic that is no choice, with which of a thousand releases are within its ±: enough of them."""
    plan = program["PLAN"]
    invoke = program["composition_of"](plan).invoke
    releases = [invoke(aggregates) for _ in range(N_RELEASES)]
    for place, each in enumerate(plan["statistics"]):
        if each["choice"]:
            continue
        noisy = np.array([release[place] for release in releases])
        if each["kind"] == "hidden_mean":
            n, total = aggregates[each["name"]]
            errors = (noisy[:, 1] / noisy[:, 0] - total / n) * (each["high"] - each["low"]) / 2
        else:
            errors = (noisy - np.array(aggregates[each["name"]])) * program["step_of"](each)
        within = np.abs(errors) <= each["half_width"] * (1 + program["MARGIN"])
        assert within.mean() >= 0.95 - 4 * math.sqrt(0.05 * 0.95 / within.size), each["name"]
        yield each, within


@pytest.mark.parametrize("setting", SETTINGS)
def test_a_thousand_releases_of_several_records_are_within_their_half_width_as_often_as_stated(setting, folder):
    program, source, tallies = read(setting, folder)
    plan = program["PLAN"]
    aggregates = program["aggregates_of"](plan, source, tallies)
    for each, within in shares_within(program, aggregates):
        if each["noise"] in ("laplace", "gaussian") and each["kind"] != "hidden_mean":
            assert within.mean() <= 0.95 + 4 * math.sqrt(0.05 * 0.95 / within.size), each["name"]


@pytest.mark.parametrize(("setting", "name"), [(SETTINGS[0], "Wait"), (MEDIANS[0], "Median")])
def test_the_median_of_several_records_is_drawn_with_the_probabilities_of_its_share_of_epsilon(folder, setting, name):
    program, _, tallies = read(setting, folder)
    statistic = next(each for each in program["PLAN"]["statistics"] if each["name"] == name)
    choice = statistic["choice"]
    candidates = np.array(program["candidates_of"](choice))
    cells = tallies[name].cells
    values = [5.0 * (cell - 1) for cell, count in cells.items() for _ in range(count)]  # between steps of 10, too
    assert len(values) == tallies[name].n
    weak = statistic | {"choice": choice | {"epsilon": 0.06}}  # so that several candidates are drawn
    scores = program["aggregated"](tallies[name], weak)
    drawn = Counter(program["chosen"](scores, weak)[0] for _ in range(N_RELEASES))
    expected = quantiles.released_distribution(
        values, 0.5, 0.06 / 3, quantiles.Grid(candidates, str(choice["mechanism"]))
    ).probabilities
    assert (expected > 0.02).sum() > 1
    for place, chance in enumerate(expected):
        assert abs(drawn[place] - N_RELEASES * chance) <= 4 * math.sqrt(N_RELEASES * chance * (1 - chance)) + 1


def test_of_several_quantiles_each_value_of_a_person_has_its_part_of_epsilon(folder):
    program, _, tallies = read(MEDIANS[2], folder)
    (statistic,) = program["PLAN"]["statistics"]
    assert tallies["Quantiles"].n == sum(min(n, 3) for n in PEOPLE.values())
    rates: list[float] = []

    def watched(_: Any, rate: Any) -> int:
        rates.append(float(rate))
        return 0

    program["chosen"].__globals__["drawn_of_runs"] = watched
    program["chosen"](program["aggregated"](tallies["Quantiles"], statistic), statistic)
    assert rates == pytest.approx([0.3 / 2 / (2 * 1 * 3)] * 2)  # two quantiles, Δ = 1 of a person who is replaced
