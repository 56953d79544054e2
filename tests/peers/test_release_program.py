"""The programs of releases, run with the real OpenDP on shipped tables: their errors, their privacy, their refusals."""

import csv
import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpcore import tables
from tests.programs import downloaded, namespace_of

N_RELEASES = 1000
GAUSSIAN_TABLE = "/Tables?per_person=64&promise=delta&error=each"
SETTINGS = (
    "/Tables",
    "/Tables?error=each",
    GAUSSIAN_TABLE,
    f"{GAUSSIAN_TABLE}&epsilon=0.2&neighbours=replace",
    "/Accuracy",
    "/Accuracy?query=count&contribution=limited&per_total=3",
    "/Accuracy?query=sum&low=-3&high=99.5&neighbours=replace",
    "/Accuracy?query=sum&contribution=limited&per_total=40&promise=delta&mechanisms=all",
    "/Accuracy?query=mean&n_records=500",
    "/Accuracy?query=mean&neighbours=replace&low=20&high=21&n_records=1841&epsilon=0.1",
    "/Accuracy?query=proportion",
    "/Clipping?bound=90",
    "/Clipping?noise=gaussian&neighbours=replace",
    "/Accuracy?query=histogram&neighbours=replace",
    "/Accuracy?section=records&query=mean&accuracy=0.5",
    "/Accuracy?section=records&query=proportion&accuracy=0.02&epsilon=0.2&delta=0.05&promise=delta&neighbours=replace",
    "/A_survey?n_options=64&epsilon=0.5",
    "/A_survey?n_options=2&n_people=1500&epsilon=0.1",
    "/Clipping?section=contributions&cells=64",
    "/Clipping?section=contributions&cells=64&noise=gaussian&spread=one_cell&delta=0.01",
    "/Clipping?section=contributions&cells=64&noise=laplace&epsilon=0.3",
)


def czech_rows() -> list[list[str]]:
    """Return one row for each man of the shipped table: a person, his cell, and a number from 0 to 99."""
    frame = tables.czech_autoworkers()
    names = [name for name, count in zip(frame["cell"], frame["count"], strict=True) for _ in range(int(count))]
    return [[f"p{place}", name, str(place % 100)] for place, name in enumerate(names)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the men as a CSV file, and the public list of the cells."""
    folder = tmp_path_factory.mktemp("release")
    with (folder / "men.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([["person", "cell", "value"], *czech_rows()])
    with (folder / "cells.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([["cell"], *([name] for name in tables.czech_autoworkers()["cell"])])
    return folder


def arguments_of(plan: dict[str, Any], folder: Path) -> list[str]:
    kind = plan["statistics"][0]["kind"]
    own = {"table": ["--categories", str(folder / "cells.csv")], "count": []}
    return [str(folder / "men.csv"), "--person", "person", *own.get(kind, ["--column", "value"])]


@pytest.mark.parametrize("setting", SETTINGS)
def test_the_errors_of_a_thousand_releases_are_within_their_half_width_as_often_as_stated(setting, folder):
    program = namespace_of(downloaded(setting))
    plan = program["PLAN"]
    (statistic,) = plan["statistics"]
    source = program["source_of"](program["options_of"](arguments_of(plan, folder)), plan)
    aggregates = program["aggregates_of"](plan, source)
    invoke, step = program["composition_of"](plan).invoke, program["step_of"](statistic)
    exact = np.array(aggregates[statistic["name"]])
    errors = np.array([np.array(invoke(aggregates)[0]) - exact for _ in range(N_RELEASES)]) * step
    level, is_joint = 0.05, setting == "/Tables"
    assert statistic["level"].endswith("at most 5 % of releases")
    within = np.abs(errors) <= statistic["half_width"]
    share = np.mean(within.all(axis=1)) if is_joint else np.mean(within)
    n = N_RELEASES if is_joint else within.size
    error = math.sqrt(level * (1 - level) / n)
    assert share >= 1 - level - 4 * error
    if not statistic["whole"]:
        assert share <= 1 - level + 4 * error


def test_a_half_width_is_that_of_the_plan_as_an_excess_below_2_to_the_minus_19_is_none():
    program = namespace_of(downloaded("/Plan?queries=sum:4000,0,2000=Costs;sum:333.3333,0,99=Third;count:5=Men"))
    for statistic, shown in zip(program["PLAN"]["statistics"], (4000, 333.4, 5), strict=True):
        own = statistic["half_width"] * program["growth_of"](statistic)
        assert program["width_of"](statistic, statistic["half_width"]) == shown
        assert own <= shown * (1 + program["NO_EXCESS"])


@pytest.mark.parametrize("clipped", ["off", "on"])
@pytest.mark.parametrize("mechanism", ["laplace", "analytic"])
def test_a_rounded_release_has_whole_numbers_within_a_whole_half_width(mechanism, clipped, folder):
    link = f"/Tables?section=release&error=each&rounded=on&clipped={clipped}&mechanism={mechanism}"
    program = namespace_of(downloaded(link))
    plan = program["PLAN"]
    (statistic,) = plan["statistics"]
    assert not statistic["whole"]
    source = program["source_of"](program["options_of"](arguments_of(plan, folder)), plan)
    aggregates = program["aggregates_of"](plan, source)
    exact = np.array(aggregates["Table"]) * program["step_of"](statistic)
    invoke, errors, lowest = program["composition_of"](plan).invoke, [], 0
    for _ in range(N_RELEASES // 4):
        noisy = invoke(aggregates)
        (_, *rows) = program["numbers_rows"](plan, source, noisy)
        published = np.array([int(row[2]) for row in rows])  # which no other text than a whole number can be
        unrounded = np.array(noisy[0]) * program["step_of"](statistic)
        lowest = min(lowest, published.min())
        wanted = np.maximum(unrounded, 0) if clipped == "on" else unrounded
        assert np.abs(published - wanted).max() <= 0.5
        assert {row[3] for row in rows} == {f"{math.floor(statistic['half_width'] + 0.5)}"}
        errors.append(published - exact)
    assert (lowest < 0) == (clipped == "off")
    share = np.mean(np.abs(errors) <= math.floor(statistic["half_width"] + 0.5))
    assert share >= 0.95 - 4 * math.sqrt(0.05 * 0.95 / np.size(errors))


@pytest.mark.parametrize("setting", SETTINGS)
def test_the_map_of_opendp_is_the_privacy_of_the_plan(setting):
    program = namespace_of(downloaded(setting))
    plan = program["PLAN"]
    (statistic,) = plan["statistics"]
    opendp = program["opendp_module"]()
    privacy = program["measurement_of"](opendp, statistic).map(1)
    is_gaussian = program["is_gaussian"](statistic)
    expected = (
        statistic["l2"] ** 2 / (2 * statistic["scale"] ** 2) if is_gaussian else statistic["l1"] / statistic["scale"]
    )
    assert privacy == pytest.approx(expected, rel=1e-5)
    assert privacy <= expected * (1 + (1e-9 if statistic["whole"] else -1e-7))
    epsilon = program["composition_of"](plan).epsilon
    if is_gaussian:
        assert plan["epsilon"] <= epsilon <= 1.7 * plan["epsilon"]  # by ρ-zCDP, which is not exact
    else:
        assert epsilon == pytest.approx(plan["epsilon"], rel=1e-5)
        assert epsilon <= plan["epsilon"] * (1 + 1e-9)


PLANS = (
    "/Plan?queries=count:5=Men;sum:200,0,99=Total%20age;mean:1,0,99,1000=Mean%20age;histogram:10,64=Cells",
    "/Plan?promise=pure&queries=count:5=Men;sum:200,0,99=Total%20age;table:60,64,2,1*all,cap:2=Cells",
    "/Plan?direction=total&epsilon=2&promise=delta&neighbours=replace&queries=mean:1,0,99,1841=Mean;histogram:9,64@gaussian=Cells",
)


@pytest.mark.parametrize("setting", PLANS)
def test_a_plan_is_one_composition_whose_errors_are_as_stated(setting, folder):
    program = namespace_of(downloaded(setting))
    plan = program["PLAN"]
    arguments = [str(folder / "men.csv"), "--person", "person"]
    for each in plan["statistics"]:
        own = f"--categories={each['name']}={folder / 'cells.csv'}" if each["kind"] == "table" else "--column="
        arguments += {"count": [], "table": [own]}.get(each["kind"], [f"--column={each['name']}=value"])
    source = program["source_of"](program["options_of"](arguments), plan)
    program["checked_columns"](plan, source)
    aggregates = program["aggregates_of"](plan, source)
    composition = program["composition_of"](plan)
    assert plan["epsilon"] * (1 - 2e-6) <= composition.epsilon <= 2 * plan["epsilon"]
    releases = [composition.invoke(aggregates) for _ in range(N_RELEASES)]
    for place, each in enumerate(plan["statistics"]):
        exact = np.array(aggregates[each["name"]])
        errors = (np.array([release[place] for release in releases]) - exact) * program["step_of"](each)
        within = (np.abs(errors) <= each["half_width"] * (1 + program["MARGIN"])).all(axis=1)
        is_joint = "*all" in setting and each["kind"] == "table"
        share, n = (
            (within.mean(), N_RELEASES) if is_joint else (np.mean(np.abs(errors) <= each["half_width"]), errors.size)
        )
        assert share >= 0.95 - 4 * math.sqrt(0.05 * 0.95 / n), each


def test_gaussian_noise_is_among_the_settings():
    noises = {namespace_of(downloaded(setting))["PLAN"]["statistics"][0]["noise"] for setting in SETTINGS}
    assert noises >= {"geometric", "laplace", "gaussian"} or noises >= {"geometric", "laplace", "discrete_gaussian"}


@pytest.mark.parametrize("noise", ["laplace", "gaussian"])
def test_less_noise_than_the_plan_allows_is_refused(noise):
    program = namespace_of(downloaded("/Tables" if noise == "laplace" else GAUSSIAN_TABLE))
    (statistic,) = program["PLAN"]["statistics"]
    program["growth_of"] = lambda _: 0.5
    with pytest.raises(program["ReleaseError"], match="which the plan allows"):
        program["measurement_of"](program["opendp_module"](), statistic)


def run(program: str, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    (folder / "release.py").write_text(program, encoding="utf-8")
    command = [sys.executable, "release.py", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)


def test_a_program_publishes_once_and_refuses_a_second_time_until_asked(folder, tmp_path):
    program, out = downloaded("/Tables"), str(tmp_path / "out")
    arguments = ["men.csv", "--person", "person", "--categories", "cells.csv", "--out", out]
    first = run(program, folder, *arguments)
    assert first.returncode == 0, first.stderr
    assert first.stdout.startswith("The guarantee: ε = 1 (δ = 0) for one person.\nChecked: OpenDP")
    second = run(program, folder, *arguments)
    assert (second.returncode, second.stdout.count("Written")) == (1, 0)
    assert "Nothing was published." in second.stderr
    assert "Traceback" not in second.stderr
    again = run(program, folder, *arguments, "--again")
    assert again.stdout.startswith("The guarantee: ε = 2 (δ = 0) for one person, of this release and release 1 of this")
    numbers = []
    for n in (1, 2):
        text = (tmp_path / f"out/release-{n}.csv").read_text(encoding="utf-8")
        rows = list(csv.DictReader(text.splitlines()))
        numbers.append([int(row["number"]) for row in rows])
        assert len(rows) == 64
    assert numbers[0] != numbers[1]  # no seed is set
    said = json.loads((tmp_path / "out/release-2.json").read_text(encoding="utf-8"))
    assert said["epsilon_of_this_folder"] == 2.0
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        *("release-1.csv", "release-1.json", "release-2.csv", "release-2.json"),
    ]


def test_a_notebook_publishes_too(folder, tmp_path):
    import nbformat

    cells = nbformat.reads(downloaded("/Accuracy", "release.ipynb"), as_version=4).cells
    code = [cell.source for cell in cells if cell.cell_type == "code"]
    call = f"publish(PLAN, ['men.csv', '--person', 'person', '--out', {str(tmp_path / 'out')!r}])"
    done = run("\n".join([*code[:-1], call]), folder)
    assert done.returncode == 0, done.stderr
    (row,) = csv.DictReader((tmp_path / "out/release-1.csv").read_text(encoding="utf-8").splitlines())
    assert abs(int(row["number"]) - 1841) < 40


def test_a_wrong_file_stops_before_anything_is_written(folder, tmp_path):
    (folder / "short.csv").write_text("cell\n1\n", encoding="utf-8")
    out = tmp_path / "out"
    arguments = ["men.csv", "--person", "person", "--categories", "short.csv", "--out", str(out)]
    done = run(downloaded("/Tables"), folder, *arguments)
    assert done.returncode == 1
    assert done.stderr.startswith("Nothing was published. The list for 'Table' has 1 categories")
    assert done.stderr.count("\n") == 1
    assert not out.exists()
