"""The program of unknown groups, run with the real OpenDP on invented codes: what appears, its errors, its privacy."""

import csv
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpcore import unknown_groups
from tests.peers.test_release_program import run
from tests.programs import at, downloaded, namespace_of

N_RELEASES = 1000
SIZES = {"common": 400, "near": 38, "rare": 16, "few": 12, "one": 1}
NOISES = "gaussian", "laplace", "truncated_geometric"
SECTION = "/Tables?section=appear&contribution=limited"
SETTINGS = (
    "/Tables?section=appear",
    f"{SECTION}&threshold_noise=gaussian",
    f"{SECTION}&threshold_noise=gaussian&per_person=3",
    f"{SECTION}&threshold_noise=laplace",
    f"{SECTION}&threshold_noise=laplace&per_person=2&per_cell=2",
    f"{SECTION}&threshold_noise=truncated_geometric&per_person=3&epsilon=2",
    *(f"{SECTION}&threshold_noise={noise}&per_person=3&per_cell=3&per_total=3" for noise in NOISES),
    *(f"{SECTION}&threshold_noise={noise}&per_person=3&per_cell=3&per_total=1&n_periods=4" for noise in NOISES),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with people who have a code each; each of them is in one group."""
    folder = tmp_path_factory.mktemp("groups")
    codes = [code for code, size in SIZES.items() for _ in range(size)]
    with (folder / "codes.csv").open("w", newline="", encoding="utf-8") as file:
        rows = ([f"p{place}", code, f"202{place % 4}-05-01"] for place, code in enumerate(codes))
        csv.writer(file).writerows([["person", "code", "date"], *rows])
    return folder


def with_periods(options: list[str], plan: dict[str, Any]) -> list[str]:
    """Return options with the column of the year of each row, where a limit is one of each year."""
    return [
        *options,
        *(
            part
            for each in plan["statistics"]
            if each["n_periods"] > 1
            for part in ("--period", f"{each['name']}=date")
        ),
    ]


@pytest.mark.parametrize("setting", SETTINGS)
def test_groups_appear_as_often_as_the_page_says_and_counts_are_within_their_half_width(setting, folder):
    program = namespace_of(downloaded(setting))
    plan = program["PLAN"]
    (statistic,) = plan["statistics"]
    options = [str(folder / "codes.csv"), "--person", "person", "--column", "code"]
    source = program["source_of"](program["options_of"](with_periods(options, plan)), plan)
    program["checked_columns"](plan, source)
    aggregates = program["aggregates_of"](plan, source)
    invoke, step = program["composition_of"](plan).invoke, program["step_of"](statistic)
    drawn = [
        {json.loads(name)[0]: number * step for name, number in invoke(aggregates)[0].items()}
        for _ in range(N_RELEASES)
    ]
    chances = unknown_groups.keep_probability(at(setting)[1].appearance.shown_release, list(SIZES.values()))
    for (code, size), chance in zip(SIZES.items(), chances.tolist(), strict=True):
        share = np.mean([code in release for release in drawn])
        assert abs(share - chance) <= 4 * math.sqrt(chance * (1 - chance) / N_RELEASES) + 1e-3, code
        if chance > 0.9999:
            errors = np.array([abs(release.get(code, math.inf) - size) for release in drawn])
            within = np.mean(errors <= statistic["half_width"] * 1.00001)
            assert within >= 0.95 - 4 * math.sqrt(0.05 * 0.95 / N_RELEASES)
    assert not any("one" in release for release in drawn)


@pytest.mark.parametrize("setting", SETTINGS)
def test_the_map_states_the_privacy_of_the_groups(setting):
    program = namespace_of(downloaded(setting))
    plan = program["PLAN"]
    (statistic,) = plan["statistics"]
    k, c, scale, total = (statistic[key] for key in ("max_cells", "max_in_cell", "scale", "max_in_all"))
    privacy, of_threshold = program["measurement_of"](program["opendp_module"](), statistic).map(1)
    composition = program["composition_of"](plan)
    threshold = statistic["groups"]["threshold"]
    assert composition.delta <= 2 * plan["delta"] * (1 + 1e-9)
    assert of_threshold <= plan["delta"] * (1 + 1e-9)
    if statistic["noise"] == "gaussian":
        assert privacy == pytest.approx(statistic["l2"] ** 2 / (2 * scale**2), rel=1e-5)
        alone = unknown_groups.delta_from_threshold(1e3, scale, threshold, k, "gaussian", c)
        assert of_threshold == pytest.approx(float(alone), rel=1e-4)
        assert plan["epsilon"] <= composition.epsilon <= 1.7 * plan["epsilon"]
        return
    exact = unknown_groups.delta_from_threshold(
        plan["epsilon"], scale, threshold, k, statistic["noise"], c, bound=statistic["groups"]["bound"], total=total
    )
    assert (privacy, of_threshold) == pytest.approx((plan["epsilon"], float(exact)), rel=1e-4)
    assert composition.epsilon <= plan["epsilon"] * (1 + 1e-9)


def test_a_threshold_that_is_too_low_is_refused():
    program = namespace_of(downloaded(f"{SECTION}&threshold_noise=laplace"))
    (statistic,) = program["PLAN"]["statistics"]
    statistic["groups"]["threshold"] -= 0.1
    with pytest.raises(program["ReleaseError"], match="OpenDP’s δ of the threshold of 'Groups' is"):
        program["measurement_of"](program["opendp_module"](), statistic)
    program["ULP"] = 1.0
    with pytest.raises(program["ReleaseError"], match="The program’s δ of the threshold of 'Groups' is"):
        program["measurement_of"](program["opendp_module"](), statistic)


@pytest.mark.parametrize(
    "setting",
    [
        f"{SECTION}&threshold_noise=gaussian&per_person=100&delta=1e-14&epsilon=10",
        f"{SECTION}&threshold_noise=laplace&per_person=100&delta=1e-14&epsilon=0.01",
        "/Plan?promise=delta&delta=1e-14&queries=groups:60,100,5=a;running:60,36,36,5=b",
        "/Plan?promise=delta&delta=1e-7&queries=groups:200,1,2=a;running:500,36,1,2=b;largest:15,5,1=d",
    ],
)
def test_a_tiny_delta_and_noise_of_two_kinds_are_one_composition(setting):
    """OpenDP rounds δ up by 2^-52 for each group, and has no ρ of Laplace noise with a threshold."""
    program = namespace_of(downloaded(setting))
    plan = program["PLAN"]
    composition = program["composition_of"](plan)
    assert plan["epsilon"] * (1 - 1e-5) <= composition.epsilon <= 4 * plan["epsilon"]
    assert composition.delta <= 2 * plan["delta"] + 101 * 2.0**-52


@pytest.mark.parametrize("row", ["groups:60,1,1", "groups:60,3,3*cap:3", "groups:60,3,3*cap:1,periods:4@laplace"])
def test_a_plan_with_groups_is_one_composition(folder, row):
    setting = f"/Plan?promise=delta&queries={row}=Codes;count:20=People"
    program, part = namespace_of(downloaded(setting)), at(setting)[1].planned_queries[0]
    plan = program["PLAN"]
    options = [str(folder / "codes.csv"), "--person", "person", "--column", "Codes=code"]
    source = program["source_of"](program["options_of"](with_periods(options, plan)), plan)
    aggregates = program["aggregates_of"](plan, source)
    composition = program["composition_of"](plan)
    assert composition.delta <= plan["delta"] * (1 + 1e-9)
    assert plan["epsilon"] <= composition.epsilon <= 2 * plan["epsilon"]
    width = plan["statistics"][1]["half_width"] * 1.00001
    releases = [composition.invoke(aggregates) for _ in range(N_RELEASES)]
    step = program["step_of"](plan["statistics"][1])
    within = np.mean([abs(people[0] * step - sum(SIZES.values())) <= width for _, people in releases])
    assert within >= 0.95 - 4 * math.sqrt(0.05 * 0.95 / N_RELEASES)
    assert all('["common"]' in groups and '["one"]' not in groups for groups, _ in releases)
    codes, release = plan["statistics"][0], part.query.statistic.threshold(part.noise.family, part.noise.scale)
    for code, size in SIZES.items():
        chance = float(unknown_groups.keep_probability(release, size))
        share = np.mean([f'["{code}"]' in groups for groups, _ in releases])
        assert abs(share - chance) <= 4 * math.sqrt(chance * (1 - chance) / N_RELEASES) + 1e-3, code
    errors = [abs(groups['["common"]'] * program["step_of"](codes) - SIZES["common"]) for groups, _ in releases]
    within = np.mean(np.array(errors) <= codes["half_width"] * 1.00001)
    assert within >= 0.95 - 4 * math.sqrt(0.05 * 0.95 / N_RELEASES)
    privacy, of_threshold = program["measurement_of"](program["opendp_module"](), codes).map(1)
    planned = (
        codes["l1"] / codes["scale"] if codes["noise"] == "laplace" else codes["l2"] ** 2 / (2 * codes["scale"] ** 2)
    )
    assert planned * (1 - 1e-5) <= privacy <= planned * (1 + 1e-9)
    assert of_threshold <= codes["groups"]["delta"] * (1 + 1e-9)


@pytest.mark.parametrize("n_parts", [0, 3])
def test_of_each_person_the_program_takes_some_groups_at_random_within_all_limits(tmp_path, n_parts):
    rows = [[f"p{place % 20}", f"g{place % 7}", f"202{place % 3}"] for place in range(8000)]
    with (tmp_path / "codes.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([["person", "code", "date"], *rows])
    kept = []
    for limits, (k, c, n, in_all) in {"*cap:4": (3, 2, 4, 4), "*cap:1,periods:3": (3, 2, 1, 3)}.items():
        program = namespace_of(downloaded(f"/Plan?promise=delta&queries=groups:90,3,2{limits}=Codes"))
        plan = program["PLAN"]
        (codes,) = plan["statistics"]
        assert [codes[key] for key in ("max_cells", "max_in_cell", "max_in_period", "max_in_all")] == [k, c, n, in_all]
        options = [str(tmp_path / "codes.csv"), "--person", "person", "--column", "Codes=code"]
        source = program["source_of"](program["options_of"](with_periods(options, plan)), plan)
        program["checked_columns"](plan, source)
        tally = program["large_tallies"](plan, source, n_parts) if n_parts else program["tallies_of"](plan, source, [])
        assert 0.8 * 20 * in_all <= tally["Codes"].n <= 20 * in_all
        kept.append(tally["Codes"].cells)
    assert all(len(cells) == 7 for cells in kept)


def test_what_is_written_says_nothing_of_the_groups_that_are_dropped(folder, tmp_path):
    arguments = ["codes.csv", "--person", "person", "--column", "code", "--out", str(tmp_path / "out")]
    done = run(downloaded(SETTINGS[0]), folder, *arguments)
    assert done.returncode == 0, done.stderr
    written = "".join(path.read_text(encoding="utf-8") for path in sorted((tmp_path / "out").iterdir()))
    assert "common" in written
    assert "one" not in {row.split(",")[1] for row in written.splitlines() if row.startswith("Groups,")}
    assert "few" not in done.stdout + done.stderr
    assert "but that of 'Groups', which this program draws and accounts for itself" in done.stdout
    assert "OpenDP’s exact noise, drawn again" in written


def test_a_file_without_the_column_stops(folder, tmp_path):
    done = run(downloaded(SETTINGS[1]), folder, "codes.csv", "--person", "person", "--out", str(tmp_path / "out"))
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert done.stderr.startswith("Nothing was published. Name the column or columns of 'Groups' with --column")
    assert not (tmp_path / "out").exists()
