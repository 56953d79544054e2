"""The program of a quantile and of the largest of several, in a composition of the real OpenDP."""

import csv
import json
import math
from pathlib import Path

import numpy as np
import pytest

from tests.peers.test_release_program import run
from tests.programs import at, downloaded, namespace_of

N_RELEASES = 1000
MEDIAN = "/A_median?median=30&p90=84&n_records=2000&high=600&epsilon=0.2"

DECILES = "/A_median?section=several&quantiles=0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the values of a typical sample of the public figures, and candidates with five counts."""
    folder = tmp_path_factory.mktemp("choice")
    values = at(MEDIAN)[1].quantile.ordered
    places = [name for name, count in zip("abcde", (120, 113, 98, 97, 60), strict=True) for _ in range(count)]
    for name, header, column in (("values.csv", "days", values.tolist()), ("places.csv", "place", places)):
        with (folder / name).open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([["person", header], *([f"p{i}", each] for i, each in enumerate(column))])
    (folder / "list.csv").write_text("place\na\nb\nc\nd\ne\n", encoding="utf-8")
    return folder


@pytest.mark.parametrize("setting", [MEDIAN, f"{MEDIAN}&quantile=0.9&neighbours=replace", f"{MEDIAN}&step=none"])
def test_a_quantile_is_within_its_half_width_as_often_as_stated(setting, tmp_path):
    program, sample = namespace_of(downloaded(setting)), at(setting)[1].quantile.ordered.tolist()
    with (tmp_path / "values.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([["person", "days"], *([f"p{i}", each] for i, each in enumerate(sample))])
    plan = program["PLAN"]
    (statistic,) = plan["statistics"]
    options = program["options_of"]([str(tmp_path / "values.csv"), "--person", "person", "--column", "days"])
    source = program["source_of"](options, plan)
    program["checked_columns"](plan, source)
    aggregates = program["aggregates_of"](plan, source)
    composition = program["composition_of"](plan)
    assert (composition.epsilon, composition.delta) == (plan["epsilon"], 0)
    drawn = [composition.invoke(aggregates)[0] for _ in range(N_RELEASES)]
    values = [float(program["numbers_rows"](plan, source, [places])[1][2]) for places in drawn]
    within = np.abs(np.array(values) - at(setting)[1].quantile.truth) <= statistic["half_width"]
    assert within.mean() >= 0.95 - 4 * math.sqrt(0.05 * 0.95 / N_RELEASES)


QUARTILES = "/A_median?section=several&n_records=300"
APART = "/A_median?section=several&neighbours=replace&epsilon=0.7&quantiles=0.5&n_records=300"


@pytest.mark.parametrize("setting", [DECILES, QUARTILES, APART])
def test_several_quantiles_are_within_their_half_widths_by_each_method(setting, folder):
    program, several = namespace_of(downloaded(setting)), at(setting)[1].several
    plan = program["PLAN"]
    (statistic,) = plan["statistics"]
    with (folder / "sample.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(
            [["person", "days"], *([i, each] for i, each in enumerate(several.ordered.tolist()))]
        )
    options = program["options_of"]([str(folder / "sample.csv"), "--person", "person", "--column", "days"])
    source = program["source_of"](options, plan)
    aggregates = program["aggregates_of"](plan, source)
    composition = program["composition_of"](plan)
    assert plan["epsilon"] * (1 - 1e-5) <= composition.epsilon <= plan["epsilon"]
    rows = [program["numbers_rows"](plan, source, composition.invoke(aggregates))[1:] for _ in range(N_RELEASES)]
    values = np.array([[float(row[2]) for row in release] for release in rows])
    within = np.abs(values - several.truths) <= np.array(statistic["half_widths"]) * 1.00001
    assert (within.mean(axis=0) >= 0.95 - 4 * math.sqrt(0.05 * 0.95 / N_RELEASES)).all()


@pytest.mark.parametrize("chooser", ["permute_and_flip", "exponential", "report_noisy_max"])
def test_the_right_one_is_named_as_often_as_the_page_says(chooser, folder):
    setting = f"/A_median?section=largest&epsilon=0.1&chooser={chooser}"
    program = namespace_of(downloaded(setting))
    plan = program["PLAN"]
    listed = ["--categories", str(folder / "list.csv")]
    options = program["options_of"]([str(folder / "places.csv"), "--person", "person", *listed])
    source = program["source_of"](options, plan)
    aggregates = program["aggregates_of"](plan, source)
    composition = program["composition_of"](plan)
    names = [program["numbers_rows"](plan, source, composition.invoke(aggregates))[1][1] for _ in range(N_RELEASES)]
    right = at(setting)[1].largest.right
    assert abs(names.count("a") / N_RELEASES - right) <= 4 * math.sqrt(right * (1 - right) / N_RELEASES)
    assert composition.epsilon == plan["epsilon"]


def test_a_plan_with_choices_is_one_composition(folder):
    setting = "/Plan?queries=quantile:2,0.5,0,600,1,30,84,2000=Wait;largest:15,5,1=Most;count:5=People"
    for promise in ("pure", "delta"):
        program = namespace_of(downloaded(f"{setting}&promise={promise}"))
        plan = program["PLAN"]
        options = [str(folder / "both.csv"), "--person", "person", "--column", "Wait=days"]
        options += ["--categories", f"Most={folder / 'list.csv'}"]
        rows = [["person", "days", "place"], *([f"p{i}", i % 60, "abcde"[i % 7 % 5]] for i in range(700))]
        with (folder / "both.csv").open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows(rows)
        source = program["source_of"](program["options_of"](options), plan)
        program["checked_columns"](plan, source)
        composition = program["composition_of"](plan)
        rows = program["numbers_rows"](plan, source, composition.invoke(program["aggregates_of"](plan, source)))[1:]
        assert [row[0] for row in rows] == ["Wait", "Most", "People"]
        assert abs(float(rows[0][2]) - 29.5) < 10
        assert rows[1][1] in ("a", "b")
        assert abs(float(rows[2][2]) - 700) < 60
        assert plan["epsilon"] * (1 - 2e-6) <= composition.epsilon <= 2.5 * plan["epsilon"]
        if promise == "pure":
            assert composition.epsilon <= plan["epsilon"] * (1 + 1e-9)


def test_a_quantile_is_published_and_marked_as_not_opendps(folder, tmp_path):
    arguments = ["values.csv", "--person", "person", "--column", "days", "--out", str(tmp_path / "out")]
    done = run(downloaded(MEDIAN), folder, *arguments)
    assert done.returncode == 0, done.stderr
    assert "but that of 'Median', which this program draws and accounts for itself." in done.stdout
    (row,) = csv.DictReader((tmp_path / "out/release-1.csv").read_text(encoding="utf-8").splitlines())
    assert abs(float(row["number"]) - 30) <= 15
    (said,) = json.loads((tmp_path / "out/release-1.json").read_text(encoding="utf-8"))["mechanisms"]
    assert (said["mechanism"], said["epsilon_alone"]) == ("permute_and_flip", 0.2)
    assert "not OpenDP’s" in said["sampler"]


def test_a_file_with_a_text_for_a_value_stops(folder, tmp_path):
    (folder / "wrong.csv").write_text("person,days\n1,many\n", encoding="utf-8")
    arguments = ["wrong.csv", "--person", "person", "--column", "days", "--out", str(tmp_path / "out")]
    done = run(downloaded(MEDIAN), folder, *arguments)
    assert (done.returncode, done.stderr) == (
        1,
        "Nothing was published. 1 row can’t be used (1 for 'Median'): line 2 has 'many' for 'Median', which is no "
        "number. Correct them, or leave such rows out of the statistics that can’t use them with "
        "--leave-out-bad-rows.\n",
    )
    assert not (tmp_path / "out").exists()


def test_less_noise_of_counts_than_a_choice_allows_is_refused():
    program = namespace_of(downloaded("/A_median?section=largest&chooser=report_noisy_max"))
    (statistic,) = program["PLAN"]["statistics"]
    program["rate_of"] = lambda _: 2
    with pytest.raises(program["ReleaseError"], match=r"privacy of 'Largest' is .*, which the plan allows"):
        program["measurement_of"](program["opendp_module"](), statistic)
