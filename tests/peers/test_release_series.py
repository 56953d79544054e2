"""The program of a series, run with the real OpenDP on invented visits: its errors, its privacy, its files."""

import csv
import json
import math
from pathlib import Path

import numpy as np
import pytest

from tests.peers.test_release_program import run
from tests.programs import downloaded, namespace_of

N_RELEASES = 1000
LENGTH = 12
LIMITED = f"/A_series?length={LENGTH}&contribution=limited"
SETTINGS = (
    f"/A_series?length={LENGTH}",
    f"{LIMITED}&totals=window&window=4&in_periods=3&per_cell=2&strategy=square_root",
    f"{LIMITED}&strategy=tree&publication=once&in_periods=4&per_total=5&neighbours=replace",
    f"{LIMITED}&strategy=tree&in_periods=2&epsilon=0.2",
    f"{LIMITED}&strategy=binary_tree&totals=each",
    f"{LIMITED}&totals=year_to_date&window=5&in_periods=12&error=all",
)
OF_CELLS = (
    f"/A_series?section=ranges&n_cells={LENGTH}",
    f"{LIMITED}&section=ranges&n_cells={LENGTH}&in_periods=3&neighbours=replace&epsilon=0.3",
    "/A_series?section=sums",
    f"{LIMITED}&section=sums&in_periods=4&per_total=5",
    f"{LIMITED}&section=sums&sums=own&own_sums=110000000001;111111111111;000011110000&in_periods=2&fixed=yes",
)


OF_OTHER_NOISE = (
    f"/A_series?length={LENGTH}&series_noise=laplace",
    f"{LIMITED}&series_noise=laplace&strategy=square_root&in_periods=2&epsilon=3",
    f"{LIMITED}&series_noise=geometric&in_periods=3&per_cell=2&error=all",
    f"/A_series?length={LENGTH}&series_noise=geometric&strategy=binary_tree",
    f"{LIMITED}&series_noise=discrete_gaussian&strategy=tree&in_periods=2",
    f"{LIMITED}&section=ranges&n_cells={LENGTH}&series_noise=laplace&in_periods=2",
    f"/A_series?section=ranges&n_cells={LENGTH}&series_noise=geometric&error=all",
    f"/A_series?section=ranges&n_cells={LENGTH}&series_noise=discrete_gaussian",
    "/A_series?section=sums&sum_noise=laplace",
    f"{LIMITED}&section=sums&sum_noise=geometric&in_periods=2&per_cell=2",
    f"{LIMITED}&section=sums&sums=series&sum_noise=discrete_gaussian&in_periods=3",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with visits of 2,000 people over a year, some of them many, and the list of the months."""
    folder, rng = tmp_path_factory.mktemp("series"), np.random.default_rng(1)
    months = [f"2026-{month:02}" for month in range(1, LENGTH + 1)]
    rows = [[f"p{person}", months[month]] for person in range(2000) for month in rng.integers(0, LENGTH, person % 7)]
    for name, every in (("visits.csv", [["person", "month"], *rows]), ("months.csv", [["month"], *zip(months)])):
        with (folder / name).open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows(every)
    return folder


def arguments_in(folder: Path) -> list[str]:
    return [str(folder / "visits.csv"), "--person", "person", "--categories", str(folder / "months.csv")]


@pytest.mark.parametrize("setting", [*SETTINGS, *OF_CELLS, *OF_OTHER_NOISE])
def test_each_number_of_a_series_is_within_its_half_width_as_often_as_stated(setting, folder):
    program = namespace_of(downloaded(setting))
    plan = program["PLAN"]
    (statistic,) = plan["statistics"]
    series = statistic["series"]
    source = program["source_of"](program["options_of"](arguments_in(folder)), plan)
    program["checked_columns"](plan, source)
    aggregates = program["aggregates_of"](plan, source)
    unit = round(1 / program["step_of"](statistic))
    exact = np.array(program["numbers_of"](series, aggregates[statistic["name"]], unit))
    assert exact == pytest.approx(np.round(exact), abs=1e-6)
    invoke = program["composition_of"](plan).invoke
    published = np.array([program["numbers_of"](series, invoke(aggregates)[0], unit) for _ in range(N_RELEASES)])
    within = np.abs(published - exact) <= np.array(program["widths_of"](series)) * program["growth_of"](statistic)
    error = math.sqrt(0.05 * 0.95 / N_RELEASES)
    if "error=all" in setting:
        assert within.all(axis=1).mean() >= 0.95 - 4 * error
        return
    shares = within.mean(axis=0)
    if statistic["whole"] or series["published"] == "ranges":
        # A half-width is the least whole number that is enough, the largest of its length, or an upper bound.
        assert (shares >= 0.95 - 5 * error).all()
        return
    assert 0.95 - 4 * error <= shares[-1] <= 0.95 + 4 * error
    assert (abs(shares - 0.95) <= 5 * error).all()


@pytest.mark.parametrize("setting", [setting for setting in OF_OTHER_NOISE if "discrete" not in setting])
def test_the_map_of_opendp_is_the_epsilon_of_noise_without_a_delta(setting):
    program = namespace_of(downloaded(setting))
    plan = program["PLAN"]
    (statistic,) = plan["statistics"]
    epsilon = program["measurement_of"](program["opendp_module"](), statistic).map(1)
    assert statistic["l1"] / statistic["scale"] * (1 - 1e-5) <= epsilon <= plan["epsilon"] * (1 + 1e-6)
    assert plan["delta"] == pytest.approx(0, abs=0)


@pytest.mark.parametrize("setting", [*SETTINGS, *OF_CELLS])
def test_the_map_of_opendp_is_the_privacy_of_the_series(setting):
    program = namespace_of(downloaded(setting))
    plan = program["PLAN"]
    (statistic,) = plan["statistics"]
    rho = program["measurement_of"](program["opendp_module"](), statistic).map(1)
    planned = statistic["l2"] ** 2 / (2 * statistic["scale"] ** 2)
    assert planned * (1 - 1e-5) <= rho <= planned
    assert plan["epsilon"] <= program["composition_of"](plan).epsilon <= 1.7 * plan["epsilon"]


PLANS = (
    "/Plan?queries=running:60,12,4,1=Totals;window:60,12,2,1,4=Quarters;count:20=People",
    "/Plan?promise=pure&queries=each:60,12,2,1=Months;count:20=People",
)


@pytest.mark.parametrize("setting", PLANS)
def test_a_plan_with_series_is_one_composition_whose_errors_are_as_stated(setting, folder):
    program = namespace_of(downloaded(setting))
    plan = program["PLAN"]
    arguments = arguments_in(folder)[:3]
    arguments += [
        f"--categories={each['name']}={folder / 'months.csv'}" for each in plan["statistics"] if each["series"]
    ]
    source = program["source_of"](program["options_of"](arguments), plan)
    aggregates = program["aggregates_of"](plan, source)
    composition = program["composition_of"](plan)
    assert plan["epsilon"] * (1 - 2e-6) <= composition.epsilon <= 2 * plan["epsilon"]
    exact = [
        np.array([float(row[2]) for row in rows_of(program, plan, source, place, aggregates[each["name"]])])
        for place, each in enumerate(plan["statistics"])
    ]
    n_within = [np.zeros(numbers.size) for numbers in exact]
    for _ in range(N_RELEASES):
        for place, noisy in enumerate(composition.invoke(aggregates)):
            rows = np.array([row[2:4] for row in rows_of(program, plan, source, place, noisy)], float)
            n_within[place] += abs(rows[:, 0] - exact[place]) <= rows[:, 1]
    for counts in n_within:
        assert (counts / N_RELEASES >= 0.95 - 5 * math.sqrt(0.05 * 0.95 / N_RELEASES)).all()
        assert counts[-1] / N_RELEASES >= 0.95 - 4 * math.sqrt(0.05 * 0.95 / N_RELEASES)


def rows_of(program, plan, source, place, noisy):
    """Return the rows of the CSV file for one statistic."""
    return program["numbers_rows"](plan | {"statistics": [plan["statistics"][place]]}, source, [noisy])[1:]


def published(folder: Path, number: int) -> list[dict[str, str]]:
    return list(csv.DictReader((folder / f"release-{number}.csv").read_text(encoding="utf-8").splitlines()))


@pytest.mark.parametrize("setting", [f"{SETTINGS[0]}&publication=once", SETTINGS[0]])
def test_a_series_can_be_published_at_its_end(setting, folder, tmp_path):
    arguments = ["visits.csv", "--person", "person", "--categories", "months.csv", "--out", str(tmp_path / "out")]
    done = run(downloaded(setting), folder, *arguments)
    assert done.returncode == 0, done.stderr
    rows = published(tmp_path / "out", 1)
    assert [row["category"] for row in rows] == [f"2026-{month:02}" for month in range(1, LENGTH + 1)]
    assert abs(float(rows[-1]["number"]) - 1714) < 100  # people with a visit


@pytest.mark.parametrize("setting", [SETTINGS[0], SETTINGS[3], OF_OTHER_NOISE[2]])
def test_a_series_is_published_month_by_month_with_noise_of_opendp_that_is_drawn_once(setting, folder, tmp_path):
    code, text = downloaded(setting), (folder / "visits.csv").read_text(encoding="utf-8")
    every, found, n_months = list(csv.reader(text.splitlines())), [], (3, 4, LENGTH)
    for number, n in enumerate(n_months, 1):
        rows = [row for row in every if row[1] == "month" or int(row[1][5:]) <= n]
        with (tmp_path / "visits.csv").open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows(rows)
        options = ["--person", "person", "--categories", str(folder / "months.csv")]
        done = run(code, tmp_path, "visits.csv", *options, "--until", f"2026-{n:02}")
        assert done.returncode == 0, done.stderr
        assert ("no new ε" in done.stdout) == (number > 1)
        numbers = published(tmp_path / "release", number)
        assert [row["category"] for row in numbers] == [f"2026-{month:02}" for month in range(1, n + 1)]
        found.append(numbers)
    assert found[1][:3] == found[0]
    assert found[2][:4] == found[1]
    said = json.loads((tmp_path / "release/release-3.json").read_text(encoding="utf-8"))
    assert said["epsilon_of_this_folder"] == said["epsilon"]
    assert "none is made of a later period" in said["mechanisms"][0]["note"]
    kept = json.loads((tmp_path / "release/SECRET-never-publish.json").read_text(encoding="utf-8"))
    ((_, series),) = kept["series"].items()
    assert len(set(series["noise"])) > LENGTH / 2
    assert sum(series["counts"]) > 1000


@pytest.mark.parametrize("setting", [SETTINGS[0], SETTINGS[3], OF_OTHER_NOISE[2]])
def test_noise_that_is_drawn_once_is_within_the_half_widths_of_what_is_published_as_it_goes(setting):
    program = namespace_of(downloaded(setting))
    plan = program["PLAN"]
    (statistic,) = plan["statistics"]
    series, unit = statistic["series"], round(1 / program["step_of"](statistic))
    invoke = program["composition_of"](plan).invoke
    zeros = {statistic["name"]: program["sums_of"](series, [0] * LENGTH, unit)}
    drawn = np.array([program["numbers_of"](series, invoke(zeros)[0], unit) for _ in range(N_RELEASES)])
    within = np.abs(drawn) <= np.array(program["widths_of"](series)) * program["growth_of"](statistic)
    shares = within.mean(axis=0) if "error=all" not in setting else within.all(axis=1).mean()
    assert (np.array(shares) >= 0.95 - 5 * math.sqrt(0.05 * 0.95 / N_RELEASES)).all()


def test_a_list_with_another_number_of_periods_stops(folder, tmp_path):
    (folder / "short.csv").write_text("month\n2026-01\n", encoding="utf-8")
    arguments = ["visits.csv", "--person", "person", "--categories", "short.csv", "--out", str(tmp_path / "out")]
    done = run(downloaded(SETTINGS[0]), folder, *arguments)
    assert done.returncode == 1
    assert done.stderr == (
        "Nothing was published. The list for 'Series' has 1 categories, and the plan is made for 12.\n"
    )
    assert not (tmp_path / "out").exists()
