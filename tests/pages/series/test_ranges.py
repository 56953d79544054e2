"""What the page says of ranges: the best method, the ranges for which noisy cells are better, and both noises."""

import re

import numpy as np
import pytest

from dpcore import gaussian, linear_queries
from dpcore.families import FAMILIES
from pages.framework.parameters.number_format import format_up
from pages.series.page import PAGE
from pages.series.ranges import section, text
from pages.series.ranges.results import column_of
from pages.shared.statements import public_size
from tests.pages.conftest import found_by
from tests.pages.figure_checks import setting_of
from tests.pages.series.figure_checks.ranges import EVERY, LINKS, best, errors, half_widths, lowest, of_length
from tests.pages.series.test_over_time import NUMBER, number_of


def sentences(link) -> tuple[str, ...]:
    return PAGE.answer_text(found_by("series", **link))


@pytest.mark.parametrize("link", LINKS)
def test_the_answer_is_the_least_largest_error_on_the_safe_side(link):
    at, result = setting_of("series", link), found_by("series", **link)
    first = sentences(link)[0]
    size = half_widths(at, best(at)).max()
    stated = [number_of(found) for found in re.findall(NUMBER, first)]
    assert size * (1 - 1e-12) <= stated[0] <= size * 1.001
    assert tuple(result.ranges.best_method) == best(at)
    if len(stated) > 1:
        others = [half_widths(at, method).max() for method in EVERY[1:]]
        rival = half_widths(at, EVERY[0]).max() if best(at) != EVERY[0] else min(others)
        assert stated[1] == pytest.approx(rival, rel=1e-3)
        assert f"by {text.method_words(result.ranges.rival_method)}" in first


@pytest.mark.parametrize("link", LINKS)
def test_the_ranges_for_which_noisy_cells_are_better_are_stated(link):
    at, second = setting_of("series", link), sentences(link)[1]
    n = int(at.n_cells)
    alone, chosen = (of_length(at, method, np.arange(1, n + 1)) for method in (EVERY[0], best(at)))
    found = re.findall(r"anges of up to ([\d,]+) cells?", second)
    if "etter: " in second or "etter for each: " in second:
        assert number_of(re.findall(NUMBER, second)[-1]) < chosen.max()
    elif best(at) == EVERY[0]:
        assert "or the worst range, noise in each cell is the best" in second
    elif found:
        last = int(found[0])
        assert (alone[:last] <= chosen[:last] * (1 + 1e-9)).all()
        assert last == n or alone[last] > chosen[last]
    else:
        assert "oise in each cell is better for no range" in second
        assert alone[0] > chosen[0]


def test_noise_in_each_cell_can_be_better_for_no_range():
    """A person who adds 1 in all and is replaced moves two cells, and the sum of all cells by 1 alone."""
    link = {"section": "ranges", "n_cells": "12", "in_periods": "2", "per_total": "1", "neighbours": "replace"}
    link |= {"delta": "0.1"}  # so that Gaussian noise is better
    at, second = setting_of("series", link), sentences(link)[1]
    every = np.arange(1, 13)
    assert (of_length(at, EVERY[0], every) > of_length(at, best(at), every) * (1 + 1e-9)).all()
    assert "oise in each cell is better for no range" in second


@pytest.mark.parametrize("n", [2, 12, 64])
def test_noise_without_a_delta_is_named_and_offered_where_its_error_is_smaller(n):
    """Its ± is that of its best method, which the page then has; of Laplace noise in up to 12 cells in each cell."""
    link = {"section": "ranges", "n_cells": str(n)}
    result = found_by("series", **link)
    second = sentences(link)[1]
    assert {other.noise for other in result.better_ranges} == {"laplace", "geometric"}
    sizes = [other.offered_half_width for other in result.better_ranges]
    assert sizes == sorted(sizes)
    assert sizes[-1] < result.ranges.half_width
    for other in result.better_ranges:
        then = found_by("series", **link, series_noise=other.noise).ranges
        noise = FAMILIES[other.noise].words
        each, together = format_up(then.half_width), format_up(then.together(then.answer_errors))
        assert text.offer_text(other) == f"Use {noise}: ±{each} each, ±{together} all"
        assert f"{noise}, ±{each}," in second
    if n < 64:
        sums = np.random.default_rng(n).laplace(0, 1, (200_000, n)).sum(axis=1)
        stated = number_of(re.findall(rf"Laplace, {NUMBER}", second)[0])
        assert np.mean(abs(sums) > stated) == pytest.approx(0.05, abs=0.002)
    assert found_by("series", **link | {"n_cells": "128"}).better_ranges == ()


@pytest.mark.parametrize(("noise", "more"), [("laplace", {"in_periods": "9"}), ("geometric", {"in_periods": "9"})])
def test_gaussian_noise_is_named_and_offered_where_its_error_is_smaller(noise, more):
    link = {"section": "ranges", "series_noise": noise} | more
    (other,) = found_by("series", **link).better_ranges
    then = found_by("series", **link | {"series_noise": "gaussian"}).ranges.half_width
    assert f"with δ = 1e-6, Gaussian noise has ±{format_up(then)} for each." in sentences(link)[1]
    assert text.offer_text(other).startswith(f"Use Gaussian: ±{format_up(then)} each, ±")
    assert found_by("series", **link, known="accuracy").better_ranges == ()


def test_the_steps_name_the_better_noise_with_its_scale():
    steps = text.range_steps_text(found_by("series", section="ranges", error="all"))
    assert "Better here: Geometric noise with **s = 1** (noise in each cell), ±31, without a δ." in steps
    steps = text.range_steps_text(found_by("series", section="ranges", series_noise="laplace", in_periods="9"))
    assert "Better here: Gaussian noise with **σ = " in steps
    assert ", without a δ" not in steps


def test_the_public_reads_the_error_of_one_range_and_of_all_at_once():
    for significance in ("0.05", "1e-5"):
        result = found_by("series", section="ranges", significance=significance)
        found = result.ranges
        statements = PAGE.statements_of(result)
        assert statements is not None
        stated = statements.public
        assert f"one range alone is within {public_size(found.half_width)} of the exact one" in stated
        together = found.together(found.answer_errors)
        assert (together is None) == (significance == "1e-5")
        if together is not None:
            every = f"all 2,080 ranges are within {public_size(together)} of the exact ones at once"
            assert f"; with at least this chance, {every}" in stated


def test_noise_in_whole_numbers_is_compared_with_geometric_noise():
    link = {"section": "ranges", "in_periods": "2"}
    size = format_up(found_by("series", **link, series_noise="geometric").ranges.half_width)
    assert (
        f"etter for each: geometric, ±{size}, without δ" in sentences(link | {"series_noise": "discrete_gaussian"})[1]
    )


@pytest.mark.parametrize(
    "link",
    [
        *(link for link in LINKS if "error" not in link and link["n_cells"] != "1"),
        {"section": "ranges", "n_cells": "100"},
        {"section": "ranges", "series_noise": "laplace", "n_cells": "20"},
    ],
)
def test_the_error_of_all_ranges_at_once_is_stated_on_the_safe_side(link):
    at, found, second = setting_of("series", link), found_by("series", **link).ranges, sentences(link)[1]
    n, noise = int(at.n_cells), at.series_noise
    drawn = errors(at, tuple(found.best_method), noise)
    at_once = linear_queries.simultaneous_half_widths(drawn, at.epsilon, at.delta, at.significance)
    stated = re.search(rf"all ([\d,]+) together: {NUMBER}; ", second)
    assert stated is not None
    assert stated[1] == f"{n * (n + 1) // 2:,}"
    size = at_once.half_widths.max()
    assert size * (1 - 1e-12) <= number_of(stated[2]) <= size * 1.001
    assert size > found.half_width


def test_the_error_of_all_ranges_at_once_is_stated_once():
    link = {"section": "ranges"}
    alone = sentences(link)[1]
    assert "etter for each: Laplace, ±" in alone
    for other in ({"n_cells": "1"}, {"error": "all"}, {"significance": "1e-5"}):
        words = " ".join(sentences(link | other))
        assert "together" not in words, other
        assert "for each" not in words, other


@pytest.mark.parametrize("link", LINKS)
def test_each_method_of_the_table_has_its_errors(link):
    at, found = setting_of("series", link), found_by("series", **link).ranges
    frame = found.range_methods.set_index("method")
    for method in EVERY:
        row = frame.loc[method[0] if method[1] is None else f"tree_{method[1]}"]
        assert row["largest"] == pytest.approx(half_widths(at, method).max(), rel=1e-9)
        sigma = float(gaussian.analytic_sigma(at.epsilon, at.delta))
        assert row["root_mean_square"] == pytest.approx(errors(at, method).root_mean_square * sigma, rel=1e-9)
        laplace = errors(at, method, "laplace").root_mean_square * 2**0.5 / at.epsilon
        assert row["laplace_root_mean_square"] == pytest.approx(laplace, rel=1e-9)
    assert set(frame.index) == {*(column_of(method) for method in found.methods), "optimum"}
    assert found.range_methods["largest"].min() >= lowest(at, np.zeros(1)) * (1 - 1e-9)


def test_trees_pay_with_gaussian_noise_and_not_with_laplace_noise_of_64_cells():
    found = text.tree_text(found_by("series", section="ranges"))
    sigma = float(gaussian.analytic_sigma(1, 1e-6))
    numbers = [float(number) for number in re.findall(r"\d+\.\d+", found)]
    expected = [3.0148 * sigma, 4.690416 * sigma, 7.989139, 6.63325]
    assert numbers == pytest.approx(expected, rel=1e-3)
    assert "2 children" in found
    assert "8 children" in found
    assert found.index("less than") < found.index("more than")


@pytest.mark.parametrize("link", LINKS)
def test_the_steps_name_the_noise_and_the_error_on_the_safe_side(link):
    at, result = setting_of("series", link), found_by("series", **link)
    found = text.range_steps_text(result)
    sigma = result.ranges.noise_scale
    assert sigma == pytest.approx(
        errors(at, best(at)).sensitivity * gaussian.analytic_sigma(at.epsilon, at.delta), rel=1e-9
    )
    assert sigma * (1 - 1e-12) <= number_of(re.findall(r"σ = ([\d.]+)", found)[0]) <= sigma * 1.001
    size = half_widths(at, best(at)).max()
    assert size * (1 - 1e-12) <= number_of(re.findall(NUMBER, found)[-1]) <= size * 1.001
    assert text.METHOD_WORDS[column_of(result.ranges.best_method)] in found


@pytest.mark.parametrize("link", LINKS)
def test_the_program_and_the_proof_are_of_the_shown_noise(link, capsys):
    result = found_by("series", **link)
    snippet = section.snippets(result)[0]
    exec(compile(snippet.code, "snippet", "exec"), {})
    printed = [float(line) for line in capsys.readouterr().out.split()]
    assert printed == pytest.approx(list(snippet.page_values), rel=1e-12)
    claim, _ = section.claims(result)
    assert (
        float(claim.arguments["l2_sensitivity"])
        == errors(setting_of("series", link), best(setting_of("series", link))).sensitivity
    )
    assert printed[1] * (1 - 1e-13) <= float(claim.arguments["sigma"]) <= printed[1] * 1.001


def test_the_conditions_are_those_of_a_table():
    words = PAGE.conditions_text(found_by("series", section="ranges", in_periods="3"))
    assert "each person is in at most 3 cells" in words
    assert "at most 4 in all" in PAGE.conditions_text(
        found_by("series", section="ranges", in_periods="3", per_total="4")
    )
    assert sentences({"section": "ranges", "contribution": "once", "in_periods": "9"})[0].startswith(
        sentences({"section": "ranges", "contribution": "once"})[0][:30]
    )


def test_a_pinned_setting_is_compared():
    pinned = sentences({"section": "ranges", "n_cells": "16", "pinned": "epsilon=2&n_cells=24"})[2]
    old = re.findall(NUMBER, sentences({"section": "ranges", "epsilon": "2", "n_cells": "24"})[0])[0]
    assert pinned.startswith(f"Compared with the pin: ±{old} → ±")


def test_opendp_has_a_tree_of_whole_counts():
    """Its levels are those of a full tree: 50 cells have 7 with two children, and fewer with more."""
    link = {"section": "ranges", "n_cells": "50", "in_periods": "3", "per_cell": "2", "neighbours": "replace"}
    shown = next(snippet for snippet in PAGE.snippets_of(found_by("series", **link)) if snippet.library == "OpenDP")
    branching = int(re.findall(r"branching_factor=(\d+)", shown.code)[0])
    n_levels = 1 + np.ceil(np.log(50) / np.log(branching))
    assert shown.page_values == pytest.approx((n_levels * 12,))
    assert f"Its tree has {n_levels:.0f} levels" in shown.note
    for unlike in ({"per_cell": "0.5"}, {"per_cell": "1e9"}):
        other = PAGE.snippets_of(found_by("series", **{**link, **unlike}))[1]
        assert (other.code, other.library) == ("", "OpenDP")
