"""A quantile and the largest of several in the program of a release: exact draws, distributed as dpcore has them."""

import math
from collections import Counter
from dataclasses import asdict
from fractions import Fraction
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpcore import quantiles, selection
from pages.framework.rendering import render
from pages.shared.release_program.program import Choice
from pages.shared.release_program.steps import choose, limit, noise, run, write
from pages.shared.release_program.steps.check import ReleaseError
from pages.shared.site_map import MEDIAN as A_MEDIAN
from tests.pages.shared.test_release_program import plan_in
from tests.programs import at, downloaded, namespace_of

N_DRAWS = 4000
AGES = [23.0, 31.0, 31.0, 34.0, 40.0, 52.0, 60.0]
MEDIAN = "/A_median?low=0&high=20&step=1&median=5&p90=9"
LARGEST = "/A_median?section=largest"
DECILES = "/A_median?section=several&quantiles=0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9"


def statistic_at(setting: str) -> dict[str, Any]:
    (statistic,) = plan_in(downloaded(setting))["statistics"]
    return statistic


def scores_of(values: list[float], choice: dict[str, Any]) -> list[Fraction]:
    return choose.rank_scores(Counter(map(choose.cell_of(choice), values)), choice)


def quantile_choice(q: float | None = 0.5, mechanism: str = "permute_and_flip", **options: Any) -> dict[str, Any]:
    known = {
        "quantile": q,
        "low": 20.0,
        "step": 10.0,
        "n_candidates": 5,
        "n_chosen": 1,
        "is_replaced": False,
        "is_fine": False,
    }
    return {"levels": (), "max_in_cell": 1, "choice": known | {"mechanism": mechanism, "epsilon": 1.0} | options}


def fine_choice(low: float, high: float, **options: Any) -> dict[str, Any]:
    """Return a draw of any number of a range."""
    draw = Choice("exponential", 1.0, False, quantile=0.5).among(low, high, None, lambda: 0)
    return {"levels": (), "max_in_cell": 1, "choice": asdict(draw) | options}


def test_any_number_has_the_distribution_of_dpcore_between_all_values():
    n_draws = 2000
    for values, low, high in ((AGES, 20.0, 61.5), ([2.0, 3.0, 3.0, 7.25], 0.0, 10.0), ([-1.3], -2.0, -1.0)):
        statistic = fine_choice(low, high)
        choice = statistic["choice"]
        assert 2**30 <= choice["n_candidates"] <= 2**31
        runs = choose.rank_runs(Counter(map(choose.cell_of(choice), values)), choice)
        assert sum(n for n, _ in runs) == choice["n_candidates"]
        places = [choose.chosen(runs, statistic)[0] for _ in range(n_draws)]
        numbers = np.array([choose.candidate_at(choice, place) for place in places])
        assert low <= numbers.min() <= numbers.max() <= high
        edges, expected = quantiles.released_distribution(values, 0.5, 1.0, quantiles.Range(low, high))
        shares = np.histogram(numbers, edges)[0] / n_draws
        assert (abs(shares - expected) <= 4 * np.sqrt(expected * (1 - expected) / n_draws) + 1e-9).all()


def test_each_value_has_its_exact_place_among_very_many_candidates():
    choice = fine_choice(-5.0, 600.0)["choice"]
    place = choose.cell_of(choice)
    for value in (-5.0, -4.7, 0.0, 0.1, 30.0, 599.9999999, 600.0):
        below, before = divmod(place(value), 2)
        first = Fraction(choose.candidate_at(choice, below - (1 - before)))
        assert first == Fraction(value) if before else first < Fraction(value) < first + Fraction(choice["step"])
    assert (place(-99.0), place(9e9)) == (1, 2 * choice["n_candidates"] - 1)


def test_digits_are_drawn_until_it_is_certain_which_candidate_is_meant(monkeypatch):
    runs, drawn = [(1, Fraction(0)), (1, Fraction(0))], iter([5 * 10**29 - 1, 10**30 - 1, 0, 10**30 // 3])
    monkeypatch.setattr(choose.secrets, "randbelow", lambda n: next(drawn) if n > 1 else 0)
    assert choose.drawn_of_runs(runs, Fraction(1)) == 0  # just below ½: 30 digits more were needed
    assert next(drawn) == 10**30 // 3


def assert_drawn(places: list[int], expected: np.ndarray) -> None:
    n, counts = len(places), Counter(places)
    for place, chance in enumerate(expected.tolist()):
        assert abs(counts[place] / n - chance) <= 5 * math.sqrt(chance * (1 - chance) / n) + 1e-9


@pytest.mark.parametrize("gamma", [Fraction(0), Fraction(1, 3), Fraction(1), Fraction(5, 2)])
def test_a_coin_shows_heads_with_its_probability(gamma):
    heads = [choose.is_heads(*gamma.as_integer_ratio()) for _ in range(N_DRAWS)]
    assert_drawn([int(each) for each in heads], np.array([1 - math.exp(-gamma), math.exp(-gamma)]))


@pytest.mark.parametrize("mechanism", ["permute_and_flip", "exponential"])
@pytest.mark.parametrize(("q", "is_replaced"), [(0.5, False), (0.9, False), (0.5, True)])
def test_a_quantile_has_the_distribution_of_dpcore(mechanism, q, is_replaced):
    statistic = quantile_choice(q, mechanism, is_replaced=is_replaced)
    scores = scores_of(AGES, statistic["choice"])
    neighbours = "replace" if is_replaced else "add_remove"
    candidates = choose.candidates_of(statistic["choice"])
    assert candidates == [20, 30, 40, 50, 60]
    expected = quantiles.released_distribution(
        AGES, q, 1.0, quantiles.Grid(candidates, mechanism), neighbours
    ).probabilities
    assert_drawn([choose.chosen(scores, statistic)[0] for _ in range(N_DRAWS)], expected)


@pytest.mark.parametrize("q", [0.0, 0.25, 0.5, 0.9])
@pytest.mark.parametrize("is_replaced", [False, True])
def test_no_person_changes_a_score_by_more_than_its_sensitivity(q, is_replaced):
    choice = quantile_choice(q, is_replaced=is_replaced)["choice"]
    most, values = choose.sensitivity_of(choice, 1), (10.0, 30.0, 35.0, 60.0, 99.0)
    reached = Fraction(0)
    for few in combinations_with_replacement(values, 2):
        data = [list(few)] if not is_replaced else [[*few, other] for other in values]
        for before in data:
            for value in values:
                after = [*few, value]
                scores = zip(scores_of(before, choice), scores_of(after, choice), strict=True)
                reached = max(reached, *(abs(one - other) for one, other in scores))
    assert reached == most


def test_values_beyond_the_range_count_as_its_ends():
    choice = quantile_choice()["choice"]
    assert scores_of([-5.0, 30.0, 999.0], choice) == scores_of([20.0, 30.0, 60.0], choice)


def test_candidates_are_the_decimals_that_are_meant():
    choice = quantile_choice(step=0.1, low=0.0, n_candidates=4)["choice"]
    assert choose.candidates_of(choice) == [0.0, 0.1, 0.2, 0.3]


@pytest.mark.parametrize("mechanism", ["permute_and_flip", "exponential"])
@pytest.mark.parametrize("is_replaced", [False, True])
def test_the_largest_of_several_has_the_distribution_of_dpcore(mechanism, is_replaced):
    counts = [12, 10, 7]
    statistic = quantile_choice(None, mechanism, is_replaced=is_replaced)
    if mechanism == "exponential":
        expected = selection.exponential(counts, 1.0, 1.0, not is_replaced)
    else:
        expected = selection.permute_and_flip(counts, 1.0, 1.0 if is_replaced else 0.5)
    assert_drawn([choose.chosen(counts, statistic)[0] for _ in range(N_DRAWS)], expected)
    assert choose.sensitivity_of(statistic["choice"], 3) == (3 if is_replaced else Fraction(3, 2))


def test_the_largest_two_are_two_draws_with_half_of_epsilon():
    statistic = quantile_choice(None, n_chosen=2)
    pairs = [choose.chosen([40, 0, 39], statistic) for _ in range(200)]
    assert all(len(set(pair)) == 2 for pair in pairs)
    assert {frozenset(pair) for pair in pairs} == {frozenset((0, 2))}
    expected = selection.permute_and_flip([40, 0, 39], 0.5, 0.5)
    assert_drawn([choose.chosen([40, 0, 39], statistic)[0] for _ in range(N_DRAWS)], expected)


def test_the_largest_noisy_count_is_named_and_is_taken_out_before_the_next():
    statistic = quantile_choice(None, "report_noisy_max", n_chosen=2)
    noise_of, seen = {40: 1, 0: 50, 39: 2}, []

    def noisy(count: int) -> int:
        seen.append(count)
        return count + noise_of[count]

    assert choose.chosen([40, 0, 39], statistic, noisy) == [1, 0]  # 41, 50, 41: the first of equal ones
    assert seen == [40, 0, 39, 40, 39]


def arguments_in(folder: Path, text: str, *options: str) -> list[str]:
    (folder / "data.csv").write_text(text, encoding="utf-8")
    (folder / "list.csv").write_text("place\na\nb\nc\nd\ne\n", encoding="utf-8")
    return [str(folder / "data.csv"), "--person", "id", "--out", str(folder / "out"), *options]


@pytest.mark.parametrize(
    ("setting", "text", "options", "sentence"),
    [
        (MEDIAN, "id,v\n1,2\n", (), "Name the one column of 'Median'"),
        (MEDIAN, "id,v\n1,x\n", ("--column", "v"), "which is no number"),
        (MEDIAN, "id,v\n1,nan\n", ("--column", "v"), "which is no number"),
        (DECILES, "id,v\n1,2\n", (), "Name the one column of 'Quantiles'"),
        (LARGEST, "id,place\n1,a\n", (), "public list of the categories of 'Largest'"),
        (
            LARGEST,
            "id,place\n1,z\n",
            ("--categories", "list.csv"),
            "line 2 has 'z' for 'Largest', which is not in its list",
        ),
    ],
)
def test_a_file_that_breaks_the_plan_of_a_choice_stops(tmp_path, monkeypatch, setting, text, options, sentence):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ReleaseError, match=sentence):
        run.publish(plan_in(downloaded(setting)), arguments_in(tmp_path, text, *options))
    assert not (tmp_path / "out").exists()


def test_a_person_has_one_value_and_the_draw_is_written_without_the_scores(tmp_path):
    plan = plan_in(downloaded(MEDIAN))
    text = "id,v\n" + "a,20\n" * 5 + "b,3.7\nc,4\n"
    source = run.source_of(run.options_of(arguments_in(tmp_path, text, "--column", "v")), plan)
    (scores,) = limit.aggregates_of(plan, source).values()
    assert len(scores) == 21
    assert scores == scores_of([20.0, 3.7, 4.0], plan["statistics"][0]["choice"])
    (row,) = write.numbers_rows(plan, source, [[4]])[1:]
    width, mark = (
        f"{plan['statistics'][0]['half_width']:g}",
        "± is for values as assumed (median 5, 90th percentile 9, n = 200); "
        "counted: the median of each person’s value, cut to 0 to 20",
    )
    assert row == ["Median", "", "4", width, plan["statistics"][0]["unit"], mark]


def test_the_largest_is_written_by_its_name_alone(tmp_path):
    plan = plan_in(downloaded(LARGEST))
    options = "--categories", str(tmp_path / "list.csv")
    text = "id,place\n" + "".join(f"{person},a\n{person},b\n{person},a\n" for person in range(9)) + "x,c\n"
    source = run.source_of(run.options_of(arguments_in(tmp_path, text, *options)), plan)
    assert limit.aggregates_of(plan, source) == {"Largest": [9, 9, 1, 0, 0]}
    assert [row[:-1] for row in write.numbers_rows(plan, source, [[2]])[1:]] == [["Largest", "c", "", "", ""]]


@pytest.mark.parametrize(
    "setting",
    [
        MEDIAN,
        "/A_median?quantile=0.9&neighbours=replace&epsilon=0.3&step=0.5",
        LARGEST,
        f"{LARGEST}&chosen=2&chooser=exponential&neighbours=replace",
        f"{LARGEST}&chooser=report_noisy_max",
    ],
)
def test_the_program_has_the_draw_of_the_page(setting):
    plan, (_, result) = plan_in(downloaded(setting)), at(setting)
    (statistic,) = plan["statistics"]
    choice = statistic["choice"]
    assert (choice["epsilon"], plan["epsilon"], plan["delta"]) == (result.setting.epsilon, result.setting.epsilon, 0.0)
    assert choice["is_replaced"] == (result.setting.neighbours == "replace")
    assert noise.sampler_of(statistic) != noise.OPENDP
    if statistic["kind"] == "quantile":
        assert choose.candidates_of(choice) == result.quantile.release.candidates.tolist()
        assert statistic["half_width"] == result.quantile.error
        assert "for values as assumed (median" in statistic["level"]
    else:
        assert (choice["mechanism"], choice["n_chosen"]) == (result.largest.mechanism, result.largest.n_chosen)
        assert statistic["n_cells"] == len(result.largest.counts)


def test_a_plan_has_its_quantiles_and_its_largest():
    setting = "/Plan?promise=delta&queries=quantile:2,0.5,0,600,1,30,84,2000=Wait;largest:15,23,1=Most;count:5=b"
    plan, (_, result) = plan_in(downloaded(setting)), at(setting)
    wait, most, _count = plan["statistics"]
    parts = result.planned_queries
    assert [each["choice"]["epsilon"] for each in (wait, most)] == [part.noise.epsilon for part in parts[:2]]
    assert (wait["half_width"], most["half_width"]) == (parts[0].half_width, None)
    assert wait["choice"]["n_candidates"] == 601
    assert "at most 15 fewer than the largest in 95 % of releases" in most["note"]


@pytest.mark.parametrize(
    "setting",
    [
        "/A_median?section=several&source=own&own=1;2;3;9&contribution=once&fixed=yes&high=10",
        f"{DECILES}&fixed=no",
        "/A_median?contribution=unlimited",
    ],
)
def test_no_program_of_a_choice_without_a_draw_or_a_condition(setting):
    topic, result = at(setting)
    assert topic.open_section(result).downloads(result) is None


def test_nothing_of_the_users_own_values_is_in_the_program_of_a_quantile():
    link = {
        "source": "own",
        "own": "4711;4712;4790",
        "contribution": "once",
        "fixed": "yes",
        "high": "9000",
        "step": "10",
    }
    entries, name = tuple(link.items()), "release.py"
    request = render.RenderRequest(A_MEDIAN.script, entries, "light", render.download, name, "https://example.org")
    code = request().decode()
    (statistic,) = plan_in(code)["statistics"]
    assert (statistic["kind"], statistic["half_width"], statistic["level"]) == ("quantile", None, "")
    assert not [value for value in ("4711", "4712", "4790") if value in code]


def test_the_program_has_the_steps_of_a_choice():
    program = namespace_of(downloaded(MEDIAN))
    assert program["candidates_of"](program["PLAN"]["statistics"][0]["choice"])[:3] == [0, 1, 2]
