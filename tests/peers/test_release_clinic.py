"""A clinic's plan, as the page proposes it, from a file of visits to published numbers, with the real OpenDP."""

import csv
import json
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import pytest

from tests.peers import clinic
from tests.peers.test_release_program import run
from tests.programs import at, downloaded

N_PATIENTS, N_MONTHS = 4000, 36
DISTRICTS = [f"District {place}" for place in range(1, 24)]
MONTHS = [f"{2024 + month // 12}-{month % 12 + 1:02}" for month in range(N_MONTHS)]
COLUMNS = ("patient", "district", "wait", "cost", "month", "code", "age")


def visits() -> list[list[object]]:
    """Return rows of visits: of each patient up to four, mostly for common diagnoses."""
    rng = np.random.default_rng(4)
    rows: list[list[object]] = []
    for patient in range(N_PATIENTS):
        district = DISTRICTS[int(rng.integers(0, 23))]
        for _ in range(1 + patient % 4):
            wait = int(min(rng.lognormal(3.4, 0.8), 600))
            code = f"code {min(int(rng.geometric(0.02)), 200)}"
            month = MONTHS[int(rng.integers(0, N_MONTHS))]
            rows.append([patient, district, wait, float(rng.integers(20, 3000)), month, code, patient % 90])
    return rows


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the visits, and the public lists of the districts and of the months."""
    folder = tmp_path_factory.mktemp("clinic")
    lists = {
        "districts": [["district"], *([each] for each in DISTRICTS)],
        "months": [["month"], *([m] for m in MONTHS)],
    }
    for name, rows in {"visits": [COLUMNS, *visits()], **lists}.items():
        with (folder / f"{name}.csv").open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows(rows)
    return folder


ARGUMENTS = (
    *("visits.csv", "--person", "patient", "--categories", "Patients by district=districts.csv"),
    *("--categories", "Monthly visits=months.csv", "--column", "Median waiting time in minutes=wait"),
    *(
        "--join",
        "Median waiting time in minutes=mean",
        "--column",
        "Total costs in €=cost",
        "--column",
        "Mean age in years=age",
    ),
    *("--column", "Diagnosis codes=code"),
)


def test_a_clinic_publishes_all_of_its_plan_in_one_run(folder, tmp_path):
    out = tmp_path / "out"
    done = run(downloaded(clinic.CLINIC), folder, *ARGUMENTS, "--out", str(out))
    assert done.returncode == 0, done.stderr
    rows = defaultdict(dict)
    table = [*csv.DictReader((out / "release-1.csv").read_text(encoding="utf-8").splitlines())]
    for row in table:
        rows[row["statistic"]][row["category"]] = float(row["number"]), float(row["plus_minus"])
    data, people = visits(), defaultdict(set)
    for place, (patient, district, _wait, _cost, month, code, _age) in enumerate(data):
        for kind, label, one in (("district", district, patient), ("month", month, place), ("code", code, patient)):
            people[kind, label].add(one)  # two visits of a month count as two
    for name, kind, labels in (("Patients by district", "district", DISTRICTS), ("Monthly visits", "month", MONTHS)):
        assert list(rows[name]) == labels
        outside = [label for label, (number, width) in rows[name].items()
                   if abs(number - len(people[kind, label])) > width]  # fmt: skip
        assert len(outside) <= 9
    median, width = rows["Median waiting time in minutes"][""]
    waits, costs = defaultdict(list), Counter()
    for patient, _district, wait, cost, *_ in data:
        waits[patient].append(wait)
        costs[patient] += cost
    assert abs(median - np.median([np.mean(own) for own in waits.values()])) <= 2 * width
    mean, width = rows["Mean age in years"][""]
    assert abs(mean - np.mean([patient % 90 for patient in range(N_PATIENTS)])) <= 2 * width
    total, width = rows["Total costs in €"][""]
    assert abs(total - sum(min(own, 5000.0) for own in costs.values())) <= 3 * width  # twice: 1 of 400
    common = {code for (kind, code), patients in people.items() if kind == "code" and len(patients) > 130}
    assert common <= set(rows["Diagnosis codes"])
    assert all(len(people["code", code]) > 5 for code in rows["Diagnosis codes"])
    said = json.loads((out / "release-1.json").read_text(encoding="utf-8"))
    assert Counter(each["sampler"] == "OpenDP" for each in said["mechanisms"]) == {True: 5, False: 1}
    check = said["check_by_opendp"]
    assert said["epsilon"] <= check["epsilon_at_most"] <= 4 * said["epsilon"]  # Laplace noise as ρ = ε²÷2 is costly
    assert check["delta"] == said["delta"]
    assert at(clinic.CLINIC)[1].epsilon <= said["epsilon"] <= at(clinic.CLINIC)[1].epsilon * 1.001
    assert f"The guarantee: ε = {said['epsilon']:g} (δ = 1e-6) for one person." in done.stdout
    counted = said["statement"].split("\n\n")[1]
    assert counted in done.stdout
    assert counted.startswith(
        "What is counted, and what each margin is about: Patients by district: each person once; Mean age in"
    )
    assert (
        "Monthly visits: of each person at most 12 periods, at most 4 in each of 3 years, chosen at random" in counted
    )
    assert "Diagnosis codes: of each person at most 12 groups, each once" in counted
    assert "the median of each person’s mean, cut to 0 to 600" in counted
    assert "exact one" not in said["statement"]
    assert {row["plus_minus"] for row in table if row["statistic"] == "Monthly visits"} == {"20"}


def test_a_clinic_that_forgets_a_column_is_told_which(folder, tmp_path):
    done = run(downloaded(clinic.CLINIC), folder, *ARGUMENTS[:-2], "--out", str(tmp_path / "out"))
    assert done.returncode == 1
    assert "Name the column or columns of 'Diagnosis codes' with --column" in done.stderr
    assert not (tmp_path / "out").exists()


def test_the_clinic_by_hand_costs_more_and_stands_in_the_guide_as_the_command_prints_it():
    own, of_gaussian, of_laplace, planned = clinic.totals()
    assert planned < min(of_gaussian, of_laplace, clinic.even_split())
    assert [each.name for each in own] == [row.name for row in at(clinic.CLINIC)[1].rows]
    guide = (Path(__file__).parents[2] / "docs/user-guide.md").read_text(encoding="utf-8")
    printed = guide.partition("<!-- made by tests.peers.clinic -->\n")[2].partition("\n<!-- end -->")[0]
    assert printed.splitlines() == [*clinic.lines()]


def test_by_hand_the_noise_of_a_wanted_error_has_that_error():
    for each in clinic.totals()[0]:
        back = each.half_width(each.rho)
        assert each.wanted - 1 <= back <= each.wanted * (1 + 1e-6)
    dp, n = clinic.dp, 20_000
    noise = dp.m.make_gaussian(
        dp.vector_domain(dp.atom_domain(T="i32")),
        dp.l2_distance(T="f64"),
        dp.accuracy_to_discrete_gaussian_scale(21.0, 0.05),
    )
    beyond = np.mean(np.abs(noise([0] * n)) > 20)
    assert beyond <= 0.05 + 4 * np.sqrt(0.05 * 0.95 / n)
