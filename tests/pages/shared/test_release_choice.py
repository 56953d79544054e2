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

from dpcore import linear_queries, quantiles, selection
from pages.framework.rendering import render
from pages.shared.release_program.program import Choice, quantiles_statistic
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
    for values, low, high in ((AGES, 20.0, 61.5), ([2.0, 3.0, 3.0, 7.25], 0.0, 10.0), ([-1.3], -2.0, -1.0)):
        statistic = fine_choice(low, high)
        choice = statistic["choice"]
        assert 2**30 <= choice["n_candidates"] <= 2**31
        runs = choose.rank_runs(Counter(map(choose.cell_of(choice), values)), choice)
        assert sum(n for n, _ in runs) == choice["n_candidates"]
        places = [choose.chosen(runs, statistic)[0] for _ in range(N_DRAWS)]
        numbers = np.array([choose.candidate_at(choice, place) for place in places])
        assert low <= numbers.min() <= numbers.max() <= high
        edges, expected = quantiles.released_distribution(values, 0.5, 1.0, low, high)
        shares = np.histogram(numbers, edges)[0] / N_DRAWS
        assert (abs(shares - expected) <= 4 * np.sqrt(expected * (1 - expected) / N_DRAWS) + 1e-9).all()


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
        assert abs(counts[place] / n - chance) <= 4 * math.sqrt(chance * (1 - chance) / n) + 1e-9


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
    expected = quantiles.grid_distribution(AGES, q, 1.0, candidates, neighbours, mechanism)
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
        (LARGEST, "id,place\n1,z\n", ("--categories", "list.csv"), "category 'z', which the list of 'Largest' lacks"),
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
    assert row == ["Median", "", "4.0", repr(plan["statistics"][0]["half_width"]), plan["statistics"][0]["unit"]]


def test_the_largest_is_written_by_its_name_alone(tmp_path):
    plan = plan_in(downloaded(LARGEST))
    options = "--categories", str(tmp_path / "list.csv")
    text = "id,place\n" + "".join(f"{person},a\n{person},b\n{person},a\n" for person in range(9)) + "x,c\n"
    source = run.source_of(run.options_of(arguments_in(tmp_path, text, *options)), plan)
    assert limit.aggregates_of(plan, source) == {"Largest": [9, 9, 1, 0, 0]}
    assert write.numbers_rows(plan, source, [[2]])[1:] == [["Largest", "c", "", "", ""]]


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
        "/Plan?promise=delta&queries=quantile:2,0.5,0,600,1,30,84,2000*times:2=a",
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


def test_several_quantiles_are_read_off_the_totals_as_dpcore_does():
    statistic = statistic_at(DECILES)
    rng, values = np.random.default_rng(1), np.random.default_rng(2).lognormal(3.4, 0.8, 500)
    low, high, n = (statistic[key] for key in ("low", "high", "n_cells"))
    exact = quantiles.sample_histogram(rng, values, statistic["levels"], 1e6, low, high, n)
    counts = Counter(choose.part_of(value, statistic) for value in values.tolist())
    totals = np.cumsum([counts[part] for part in range(n)]).astype(float)
    assert choose.quantiles_of(totals.tolist(), statistic) == pytest.approx(exact.tolist(), abs=1e-2)
    noisy = totals + rng.normal(0, 60, n)
    rising = np.maximum.accumulate(noisy), np.minimum.accumulate(noisy[::-1])[::-1]
    row = np.append(0.0, np.maximum((rising[0] + rising[1]) / 2, 0))
    expected = np.interp(np.array(statistic["levels"]) * row[-1], row, np.linspace(low, high, n + 1))
    assert choose.quantiles_of(noisy.tolist(), statistic) == pytest.approx(expected.tolist(), rel=1e-9)
    assert choose.quantiles_of([-1.0] * n, statistic) == [high] * len(statistic["levels"])


def test_a_value_at_an_end_of_parts_is_in_the_upper_one_and_those_beyond_are_at_the_ends():
    statistic = {"low": 0.0, "high": 8.0, "n_cells": 4}
    assert [choose.part_of(value, statistic) for value in (-5, 0, 1.9, 2, 7.9, 8, 99)] == [0, 0, 0, 1, 3, 3, 3]


def test_the_program_of_several_quantiles_has_the_histogram_of_the_page(tmp_path):
    plan, several = plan_in(downloaded(DECILES)), at(DECILES)[1].several
    (statistic,) = plan["statistics"]
    assert (statistic["n_cells"], statistic["series"]["strategy"]) == (several.n_parts, several.strategy.strategy)
    assert statistic["scale"] == linear_queries.noise_scale(several.strategy, 1.0)
    assert list(statistic["half_widths"]) == several.frame["histogram"].to_list()
    text = "id,v\n" + "".join(f"{person},{person % 90}\n" for person in range(900)) + "1,5\n"
    source = run.source_of(run.options_of(arguments_in(tmp_path, text, "--column", "v")), plan)
    rows = write.numbers_rows(plan, source, list(limit.aggregates_of(plan, source).values()))[1:]
    assert [row[1] for row in rows] == [f"quantile {level / 10}" for level in range(1, 10)]
    assert [float(row[2]) for row in rows] == pytest.approx(range(9, 82, 9), abs=25)  # of 16 parts


def test_the_program_has_the_steps_of_a_choice():
    program = namespace_of(downloaded(MEDIAN))
    assert program["candidates_of"](program["PLAN"]["statistics"][0]["choice"])[:3] == [0, 1, 2]


QUARTILES = "/A_median?section=several"
DRAWN_APART = "/A_median?section=several&neighbours=replace&epsilon=0.7&quantiles=0.5"
SEVERAL = ((QUARTILES, "recursive"), (DRAWN_APART, "single"))


@pytest.mark.parametrize(("setting", "method"), SEVERAL)
def test_the_program_of_several_quantiles_draws_them_as_the_page_does(setting, method):
    plan, several = plan_in(downloaded(setting)), at(setting)[1].several
    (statistic,) = plan["statistics"]
    assert several.best_method == method
    assert (statistic["kind"], statistic["choice"]["mechanism"]) == ("quantile", "exponential")
    assert statistic["choice"]["is_recursive"] == (method == "recursive")
    assert statistic["choice"]["epsilon"] == plan["epsilon"] == several.release.epsilon
    assert list(statistic["half_widths"]) == several.frame[method].to_list()
    assert statistic["half_width"] == max(statistic["half_widths"])


def several_facts(levels, candidates, recursive, epsilon=1.0, replaced=False):
    choice = Choice("exponential", epsilon, replaced, n_candidates=candidates, is_recursive=recursive)
    return quantiles_statistic(choice, levels, [1.0] * len(levels), 0.05, "assumed").facts()


@pytest.mark.parametrize("is_recursive", [True, False])
def test_several_quantiles_have_the_distribution_of_the_exponential_mechanism(is_recursive):
    """Of the first quantile that is drawn, and of another one given that, in the part of the people that it leaves."""
    levels, n = (0.25, 0.5, 0.75), 4000
    statistic = several_facts(levels, 5, is_recursive)
    cells = Counter({3: 4, 4: 2, 5: 3, 9: 6})  # at the candidates 1, 2 and 4, and between 1 and 2
    drawn = [choose.chosen(cells, statistic) for _ in range(n)]

    def probabilities(own, level, first, last, epsilon):
        total, scores = sum(own.values()), []
        for place in range(first, last + 1):
            n_below = sum(count for cell, count in own.items() if cell < 2 * place + 1)
            n_to = sum(count for cell, count in own.items() if cell <= 2 * place + 1)
            scores.append(-max(0, n_below - level * total, level * total - n_to))
        weights = np.exp(epsilon / (2 * max(level, 1 - level)) * np.array(scores))
        return weights / weights.sum()

    share = 1 / 2 if is_recursive else 1 / 3
    expected = probabilities(cells, 0.5, 0, 4, share)
    counts = np.bincount([places[1] for places in drawn], minlength=5)
    assert (abs(counts / n - expected) <= 4 * np.sqrt(expected * (1 - expected) / n)).all()
    known = [places for places in drawn if places[1] == 2]
    low, high, level = (2, 4, 0.5) if is_recursive else (0, 4, 0.75)
    left = {cell: count for cell, count in cells.items() if cell >= 5} if is_recursive else cells
    expected = probabilities(left, level, low, high, share)
    counts = np.bincount([places[2] - low for places in known], minlength=high - low + 1)
    error = np.sqrt(expected * (1 - expected) / len(known))
    assert (abs(counts / len(known) - expected) <= 4 * error).all()
    if is_recursive:
        assert all(places == sorted(places) for places in drawn)


@pytest.mark.parametrize(("levels", "is_recursive"), [((0.3, 0.6), True), ((0.2, 0.5, 0.9), True), ((0.3, 0.6), False)])
def test_one_person_more_changes_no_probability_of_several_quantiles_by_more_than_epsilon(levels, is_recursive):
    """Every tree of draws is enumerated, with probabilities in the place of coins."""
    statistic, n_candidates = several_facts(levels, 4, is_recursive, 0.8), 4

    def distribution(cells):
        outcomes, script, factors, widths = Counter(), [], [], []

        def scripted(runs, rate):
            weights = [math.exp(float(score * rate)) for n, score in runs for _ in range(n)]
            if len(factors) == len(script):
                script.append(0)
            widths.append(len(weights))
            factors.append(weights[script[len(factors)]] / sum(weights))
            return script[len(factors) - 1]

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(choose, "drawn_of_runs", scripted)
            while True:
                factors.clear()
                widths.clear()
                places = tuple(choose.chosen(cells, statistic))
                outcomes[places] += math.prod(factors)
                while script and script[-1] + 1 == widths[len(script) - 1]:
                    script.pop()
                if not script:
                    return outcomes
                script[-1] += 1

    base = Counter({1: 2, 4: 1, 7: 1})
    first = distribution(base)
    assert sum(first.values()) == pytest.approx(1)
    for cell in range(1, 2 * n_candidates):
        second = distribution(base + Counter({cell: 1}))
        assert set(second) == set(first)
        assert max(abs(math.log(second[each] / first[each])) for each in first) <= 0.8 * (1 + 1e-9)
