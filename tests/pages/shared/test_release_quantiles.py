"""Several quantiles in the program of a release: drawn, or read off a noisy histogram, as dpcore has them."""

import math
from collections import Counter

import numpy as np
import pytest

from dpcore import linear_queries, quantiles
from pages.shared.release_program.program import Choice, quantiles_statistic
from pages.shared.release_program.steps import choose, limit, run, write
from tests.pages.shared.test_release_choice import DECILES, arguments_in, statistic_at
from tests.pages.shared.test_release_program import plan_in
from tests.programs import at, downloaded

QUARTILES = "/A_median?section=several"
DRAWN_APART = "/A_median?section=several&neighbours=replace&epsilon=0.7&quantiles=0.5"
SEVERAL = ((QUARTILES, "recursive"), (DRAWN_APART, "single"))


def test_several_quantiles_are_read_off_the_totals_as_dpcore_does():
    statistic = statistic_at(DECILES)
    rng, values = np.random.default_rng(1), np.random.default_rng(2).lognormal(3.4, 0.8, 500)
    low, high, n = (statistic[key] for key in ("low", "high", "n_cells"))
    exact = quantiles.sample_histogram(rng, values, statistic["levels"], 1e6, quantiles.Range(low, high), n)
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


@pytest.mark.parametrize("growth", [1.0, 1.25])
def test_the_half_widths_in_the_statement_are_those_beside_the_numbers(tmp_path, monkeypatch, growth):
    plan = plan_in(downloaded(DECILES))
    (statistic,) = plan["statistics"]
    monkeypatch.setattr(write, "growth_of", lambda _: growth)
    source = run.source_of(run.options_of(arguments_in(tmp_path, "id,v\n1,1\n", "--column", "v")), plan)
    rows = write.numbers_rows(plan, source, list(limit.aggregates_of(plan, source).values()))[1:]
    stated = write.mechanism_facts(statistic)["half_widths"]
    assert [float(row[3]) for row in rows] == stated
    assert stated == pytest.approx([width * growth for width in statistic["half_widths"]], rel=1e-3)


def test_the_program_of_several_quantiles_has_the_histogram_of_the_page(tmp_path):
    plan, several = plan_in(downloaded(DECILES)), at(DECILES)[1].several
    (statistic,) = plan["statistics"]
    assert (statistic["n_cells"], statistic["series"]["strategy"]) == (several.n_parts, several.strategy.strategy)
    assert statistic["scale"] == linear_queries.noise_scale(several.strategy, 1.0)
    assert list(statistic["half_widths"]) == several.frame["histogram"].to_list()
    text = "id,v\n" + "".join(f"{person},{person % 90}\n" for person in range(900)) + "1,1\n"
    source = run.source_of(run.options_of(arguments_in(tmp_path, text, "--column", "v")), plan)
    rows = write.numbers_rows(plan, source, list(limit.aggregates_of(plan, source).values()))[1:]
    assert [row[1] for row in rows] == [f"quantile {level / 10}" for level in range(1, 10)]
    assert [float(row[2]) for row in rows] == pytest.approx(range(9, 82, 9), abs=25)  # of 16 parts


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
    levels, n = (0.25, 0.5, 0.75), 2000
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
