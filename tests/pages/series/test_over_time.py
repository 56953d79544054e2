"""What the page says of a series: its numbers beside dpcore, which method is best, what k costs, and its conditions."""

import re

import numpy as np
import pytest

from dpcore import gaussian, linear_queries, verify
from pages.framework.layout import panels
from pages.framework.layout.section import Field
from pages.series.methods import Series, first_with_noisy_periods
from pages.series.over_time import figures, section, text
from pages.series.page import PAGE
from pages.series.parameters import METHOD_NAMES
from pages.shared.site_map import SERIES
from pages.start.results import ENTRIES
from tests.pages.conftest import LIGHT, ask, figure_of, found_by, open_page, read_link, stage_of
from tests.pages.figure_checks import setting_of
from tests.pages.series.figure_checks.over_time import errors, half_widths

LINKS = (
    {},
    {"in_periods": "20"},
    {"totals": "window", "window": "6", "length": "24", "in_periods": "3", "per_cell": "2", "significance": "0.1"},
    {"totals": "year_to_date", "length": "60", "period": "week", "publication": "once", "neighbours": "replace"},
    {"strategy": "tree", "length": "48", "epsilon": "0.3"},
    {"length": "365", "period": "day", "delta": "1e-9", "in_periods": "4", "per_total": "2"},
    {"totals": "each", "length": "7"},
)
NUMBER = r"±(\d[\d,]*(?:\.\d+)?(?:e\d+)?)"


def number_of(text_of_number: str) -> float:
    return float(text_of_number.replace(",", ""))


def sentences(**link: str) -> tuple[str, ...]:
    return PAGE.answer_text(found_by("series", **link))


def least(at, k=None):
    """Return the least of the largest half-widths, and the first method that has it."""
    sizes = {method: half_widths(at, method, k).max() for method in METHOD_NAMES}
    best = min(sizes.values())
    return best, next(method for method, size in sizes.items() if size <= best * (1 + 1e-9))


@pytest.mark.parametrize("link", LINKS)
def test_the_answer_is_the_least_largest_error_on_the_safe_side(link):
    at, (first, *_) = setting_of("series", link), sentences(**link)
    method = least(at)[1] if at.strategy == "best" else at.strategy
    size = half_widths(at, method).max()
    stated = [number_of(found) for found in re.findall(NUMBER, first.partition("; all ")[0])]
    assert size * (1 - 1e-12) <= stated[0] <= size * 1.001
    assert text.short_name(found_by("series", **link).setting, method) in first
    if len(stated) > 1:
        alone = half_widths(at, "per_period").max()
        others = [half_widths(at, other).max() for other in METHOD_NAMES if other != "per_period"]
        assert stated[1] == pytest.approx(alone if method != "per_period" else min(others), rel=1e-3)


def test_the_answer_of_36_months_has_the_check_values():
    first = sentences()[0]
    sigma = float(gaussian.analytic_sigma(1, 1e-6))
    root = np.cumprod(np.append(1.0, [(2 * i - 1) / (2 * i) for i in range(1, 36)]))
    square = np.array([[root[i - j] if i >= j else 0 for j in range(36)] for i in range(36)])
    length = np.sqrt((square**2).sum(axis=0))
    normalized = np.tril(np.ones((36, 36))) @ np.linalg.inv(square / length)
    largest = np.sqrt((normalized**2).sum(axis=1)).max()
    width = float(gaussian.half_width(0.05, 1.0))
    assert number_of(re.findall(NUMBER, first)[0]) == pytest.approx(sigma * width * largest, rel=1e-3)
    assert number_of(re.findall(NUMBER, first)[1]) == pytest.approx(sigma * width * 6, rel=1e-3)
    assert "18 months or more" in text.turn_text(found_by("series"))


@pytest.mark.parametrize("link", LINKS)
def test_the_first_k_at_which_noisy_periods_are_best_is_stated(link):
    at, words = setting_of("series", link), text.turn_text(found_by("series", **link))
    found = [int(number) for number in re.findall(r"can be in (\d+) ", words)]
    ks = range(1, int(at.length) + 1, max(int(at.length) // 40, 1))
    alone = {k: least(at, k)[1] == "per_period" for k in ks}
    if found:
        assert all(is_alone == (k >= found[0]) for k, is_alone in alone.items())
        assert least(at, found[0])[1] == "per_period" != least(at, found[0] - 1)[1]
    elif words.startswith("No method"):
        assert all(alone.values())
    else:
        assert not any(alone.values())


@pytest.mark.parametrize("link", LINKS)
def test_the_second_sentence_says_what_being_in_more_periods_costs(link):
    at, found, (_, *rest) = setting_of("series", link), found_by("series", **link), sentences(**link)
    stated = [int(number) for number in re.findall(r"(?:rom k =|k ≥) (\d+)\b", " ".join(rest))]
    first, is_alone = found.over_time.first_alone, found.over_time.answer_errors.strategy == "per_period"
    is_said = at.strategy == "best" and first is not None and not is_alone
    assert stated == ([first] if is_said else [])
    assert not is_said or first > at.in_periods


def test_the_answer_of_36_months_says_that_noisy_months_win_from_18_on():
    assert sentences()[1].endswith(" per month, without δ; k ≥ 18: Gaussian too.")
    (_, second) = sentences(epsilon="4", delta="0.1", in_periods="6")
    assert re.fullmatch(rf"All 36 together: {NUMBER}; from k = 18 on, noisy months are better\.", second)


@pytest.mark.parametrize("workload", ["running_totals", "window", "year_to_date", "each"])
@pytest.mark.parametrize("neighbours", ["add_remove", "replace"])
def test_noisy_periods_stay_the_best_from_the_first_k_on(workload, neighbours):
    """The search halves the range of k, which is right only if the best method changes to noisy periods once."""
    for n in (1, 2, 5, 11, 40):
        window = 6 if workload in ("window", "year_to_date") else None
        for publication in ("as_it_goes", "once"):
            series = Series(workload, n, window, publication, neighbours=neighbours)
            first = first_with_noisy_periods(series)
            for k in range(1, n + 1):
                sizes = {
                    method: linear_queries.error(
                        workload, method, n, k, window=window, publication=publication, neighbours=neighbours
                    ).largest
                    for method in METHOD_NAMES
                }
                is_best = sizes["per_period"] <= min(sizes.values()) * (1 + 1e-9)
                assert is_best == (first is not None and k >= first), (n, k, sizes)


def test_noisy_periods_are_never_the_best_where_a_person_adds_little_in_all():
    words = text.turn_text(found_by("series", per_total="1", in_periods="36"))
    assert words.startswith("However many months a person is in, noise in each month is not the best")


@pytest.mark.parametrize("link", [{}, {"length": "12", "epsilon": "0.1"}, {"totals": "window", "in_periods": "2"}])
def test_laplace_noise_is_named_where_it_has_a_smaller_error(link):
    at, second = setting_of("series", link), sentences(**link)[1]
    n, window = int(at.length), int(at.window) if at.totals == "window" else int(at.length)
    scale, draws = int(at.in_periods) / at.epsilon, 400_000
    sums = np.random.default_rng(1).laplace(0, scale, (draws, min(window, n))).sum(axis=1)
    stated = number_of(re.findall(rf"Laplace(?: noise)?, {NUMBER}", second)[0])
    assert np.mean(abs(sums) > stated) == pytest.approx(0.05, abs=0.002)
    assert f"Laplace noise with **b = {scale:g}** in each month" in text.series_steps_text(found_by("series", **link))


def test_laplace_noise_is_not_named_where_its_error_is_larger():
    assert "Laplace" not in " ".join(sentences(length="365"))
    assert "Laplace" not in text.series_steps_text(found_by("series", length="365"))


def test_a_chosen_method_is_compared_with_the_best():
    at, second = setting_of("series", {}), sentences(strategy="tree")[1]
    assert number_of(re.findall(NUMBER, second.partition("; ")[2])[0]) == pytest.approx(least(at)[0], rel=1e-3)


def test_the_price_of_publication_as_it_goes_is_in_the_text():
    found = text.publication_text(found_by("series"))
    at, end = setting_of("series", {}), setting_of("series", {"publication": "once"})
    trees = [half_widths(one, "tree").max() for one in (at, end)]
    assert [number_of(number) for number in re.findall(NUMBER, found)] == pytest.approx(trees, rel=1e-3)
    assert "pays nothing" in found
    assert text.publication_text(found_by("series", publication="once")).startswith(
        "Every number is published after 36 months."
    )


def test_of_two_months_the_best_method_is_a_tree_at_the_end_and_has_a_price_as_it_goes():
    at, end = (setting_of("series", {"length": "2", "publication": when}) for when in ("as_it_goes", "once"))
    result = found_by("series", length="2")
    assert result.over_time.price == pytest.approx(least(at)[0] / least(end)[0], rel=1e-9)
    assert least(end)[1] == "tree"
    assert "pays 1.81 % more error" in text.publication_text(result)


@pytest.mark.parametrize(("length", "years"), [("36", 3), ("25", 3), ("24", 2)])
def test_the_epsilon_of_several_years_is_that_of_the_composed_noise(length, years):
    found = text.year_text(found_by("series", length=length))
    sigma = float(gaussian.analytic_sigma(1, 1e-6))
    total = float(gaussian.epsilon_from_sigma(1e-6, sigma / np.sqrt(years)))
    stated = number_of(re.findall(r"have ε = ([\d.]+) over", found)[0])
    assert total <= stated <= total * 1.001
    assert f"over {years} years" in found
    assert f"in {2 * years} of {12 * years} months" in found


def test_a_series_within_a_year_has_no_epsilon_of_several_years():
    assert "over" not in text.year_text(found_by("series", length="12")).partition("not for each number")[2]
    assert "limit k" not in text.year_text(found_by("series", length="12", period="year"))


def test_the_trial_of_earlier_months_stays_as_more_arrive():
    early, late = (found_by("series", arrived=arrived).trial for arrived in ("10", "all"))
    assert len(early) == 10
    np.testing.assert_allclose(early["published"], late["published"][:10], rtol=1e-9)
    assert len(found_by("series", arrived="10", publication="once").trial) == 36


def test_about_as_many_bands_contain_the_truth_as_is_stated():
    inside = []
    for seed in range(40):
        frame = found_by("series", seed=str(seed), length="24").trial
        inside.append(((frame["low"] <= frame["truth"]) & (frame["truth"] <= frame["high"])).mean())
    assert 0.9 < np.mean(inside) < 0.99


@pytest.mark.parametrize("link", LINKS)
def test_the_guarantee_that_is_proved_is_that_of_the_shown_noise(link):
    claim, sensitivity = section.claims(found_by("series", **link))
    at = setting_of("series", link)
    chosen = errors(at, least(at)[1] if at.strategy == "best" else at.strategy)
    assert float(claim.arguments["l2_sensitivity"]) == chosen.sensitivity
    sigma = linear_queries.noise_scale(chosen, at.epsilon, at.delta)
    assert sigma * (1 - 1e-13) <= float(claim.arguments["sigma"]) <= sigma * 1.001
    assert bool(sensitivity.function) == (chosen.is_exact and (at.neighbours == "add_remove" or at.in_periods == 1))
    assert sensitivity.function or "an upper bound" in sensitivity.reason or "reached" in sensitivity.reason
    (line,) = panels.proof_lines([sensitivity], verify)
    assert line[0] == ("✓" if sensitivity.function else "–")
    assert not sensitivity.function or sensitivity.upper_bound == chosen.sensitivity


@pytest.mark.parametrize("link", LINKS)
def test_the_program_of_dpcore_prints_the_answer(link, capsys):
    result = found_by("series", **link)
    snippet = section.snippets(result)[0]
    exec(compile(snippet.code, "snippet", "exec"), {})
    printed = [float(line) for line in capsys.readouterr().out.split()]
    assert printed == pytest.approx(list(snippet.page_values), rel=1e-12)
    assert printed[0] == pytest.approx(result.over_time.half_width, rel=1e-9)


def test_each_method_of_the_table_has_its_errors():
    at, frame = setting_of("series", {}), found_by("series").over_time.methods
    assert set(frame["method"]) == {*METHOD_NAMES, "optimum"}
    for row in frame.to_dict("records"):
        found = half_widths(at, row["method"])
        assert row["largest"] == pytest.approx(found.max(), rel=1e-9)
        assert row["root_mean_square"] == pytest.approx(np.sqrt((found**2).mean()), rel=1e-9)
    assert "optimum" not in set(found_by("series", length="65").over_time.methods["method"])
    html = section.methods(found_by("series"), LIGHT).picture
    assert all(text.LINE_NAMES[name].capitalize() in html for name in frame["method"])


def test_no_method_goes_below_the_limit():
    for link in LINKS:
        found = found_by("series", **link).over_time
        assert found.methods["largest"].min() >= found.limit * (1 - 1e-9)


def test_the_condition_says_what_one_person_may_add_to_the_whole_series():
    assert "each person counts once in the whole series" in PAGE.conditions_text(found_by("series"))
    limited = {"in_periods": "12", "per_cell": "3", "per_total": "20", "contribution": "limited", "fixed": "yes"}
    words = "each person is in at most 12 months of the whole series and adds at most 3 to each, at most 20 in all"
    assert f"{words} (confirmed)" in PAGE.conditions_text(found_by("series", **limited))
    denied = sentences(contribution="unlimited")
    assert denied[0].startswith("No privacy guarantee: nobody limits in how many periods a person counts")


def test_who_counts_once_has_no_other_limits():
    link = {"in_periods": "12", "per_cell": "3", "per_total": "20"}
    assert sentences(**link, contribution="once")[0] == sentences(contribution="once")[0] != sentences(**link)[0]
    result = found_by("series", contribution="once")
    fields = [*section.controls(result), *section.more_settings(result)]
    keys = {key_of(item) for item in fields}
    assert not {"in_periods", "per_cell", "per_total"} & keys
    figure = figure_of(section.over_persons(found_by("series", **link, contribution="once"), LIGHT))
    assert "in_periods" not in {shape.get("name") for shape in figure["layout"]["shapes"]}


def test_k_is_a_low_handle_beside_t_where_it_can_be_set():
    for k in ("1", "30", "36"):
        layout = figure_of(section.over_time(found_by("series", in_periods=k), LIGHT))["layout"]
        handles = {shape["name"]: (shape["x0"], shape["y1"] < 1) for shape in layout["shapes"]}
        assert handles == {"length": (36, False), "in_periods": (int(k), True)}
        assert [note["text"] for note in layout["annotations"]] == ["T = 36", f"one person: k = {k}"]
    layout = figure_of(section.over_time(found_by("series", contribution="once"), LIGHT))["layout"]
    assert [shape["name"] for shape in layout["shapes"]] == ["length"]


def key_of(item) -> str:
    return (item.parameter if isinstance(item, Field) else item).key


def test_fields_appear_only_where_they_count():
    assert len(section.controls(found_by("series", totals="window"))) == 6
    assert field_keys(publication="as_it_goes") == [["series", "arrived", "seed"]]
    assert field_keys(publication="once") == [["series", "seed"]]


def field_keys(**link: str) -> list[list[str]]:
    """Return the keys of the fields among the parts, as the browser is told them."""
    folds = [SERIES.path, "time", "A trial"]
    stage = stage_of(ask(open_page(SERIES.script, **link), how="none", folds=folds))
    folds = [part for part in stage["parts"] if part["kind"] == "fold"]
    every = [*stage["parts"], *(inner for fold in folds for inner in fold["parts"])]
    return [part["keys"] for part in every if part["kind"] == "fields"]  # without the buttons, which are in a row


@pytest.mark.parametrize("link", LINKS)
def test_the_steps_name_the_noise_and_the_error_on_the_safe_side(link):
    at, found = setting_of("series", link), text.series_steps_text(found_by("series", **link))
    method = least(at)[1] if at.strategy == "best" else at.strategy
    _, limit, noise, publication = [line for line in found.splitlines() if line]
    sigma = linear_queries.noise_scale(errors(at, method), at.epsilon, at.delta)
    assert sigma * (1 - 1e-12) <= number_of(re.findall(r"σ = ([\d.]+)", noise)[0]) <= sigma * 1.001
    assert text.LINE_NAMES[method] in noise
    size = half_widths(at, method).max()
    assert size * (1 - 1e-12) <= number_of(re.findall(NUMBER, publication)[0]) <= size * 1.001
    assert ("at the end" in publication) == (at.publication == "once")
    assert ("once in the whole series" in limit) == (at.in_periods == 1)


@pytest.mark.parametrize(
    ("entries", "key", "used"),
    [({"epsilon": "0"}, "epsilon", 1), ({"significance": "1e-7"}, "significance", 0.05)],
)
def test_what_has_no_half_width_is_replaced_with_a_sentence(entries, key, used):
    readings, _ = read_link("series", **entries)
    assert readings[key].value == used
    assert "for a series" in readings[key].problem
    assert readings[key].problem.endswith("is used instead.")


@pytest.mark.parametrize(
    "link",
    [
        {"length": "1000", "in_periods": "1000"},
        {"length": "1", "window": "1000", "totals": "window"},
        {"epsilon": "1e6", "delta": "1e-300", "significance": "1e-6"},
        {"epsilon": "1e-12", "delta": "1e-300", "per_cell": "1e9"},
        {"per_cell": "1e-9", "per_total": "1", "length": "3", "arrived": "1000"},
    ],
)
def test_the_ends_of_what_is_allowed_have_finite_answers(link):
    result = found_by("series", **link)
    assert np.isfinite(result.over_time.frame.to_numpy()).all()
    assert np.isfinite(result.over_time.over_persons.to_numpy()).all()
    assert "±" in PAGE.answer_text(result)[0]
    assert figures.trial_figure(result, result.trial, LIGHT)["data"]


def test_a_pinned_setting_is_compared():
    first, *_, pinned = sentences(pinned="epsilon=2&length=12")
    new = re.findall(NUMBER, first)[0]
    old = re.findall(NUMBER, sentences(epsilon="2", length="12")[0])[0]
    assert pinned == f"Compared with the pin: ±{old} → ±{new}."
    assert sentences(pinned="epsilon=1")[-1] == f"Compared with the pin: ±{new} too."


def test_the_glossary_has_the_errors_of_36_months():
    words = ENTRIES["series"].more
    found = {method: linear_queries.error("running_totals", method, 36) for method in METHOD_NAMES}
    ratios = [float(number) for number in re.findall(r"([\d.]+) times", words)]
    expected = [found[name].largest for name in ("per_period", "square_root", "normalized_square_root")]
    assert all(size * (1 - 1e-9) <= shown <= size + 0.01 for shown, size in zip(ratios, expected, strict=True))
    assert first_with_noisy_periods(Series("running_totals", 36, None, "as_it_goes")) == 18
    assert "18 of the 36 months" in words


@pytest.mark.parametrize(
    ("period", "length", "step"),
    [
        ("month", "12", 3),
        ("month", "36", 12),
        ("month", "120", 60),
        ("month", "5", 2),
        ("quarter", "12", 4),
        ("week", "52", 13),
    ],
)
def test_the_ticks_of_a_time_axis_are_years_or_whole_parts_of_one(period, length, step):
    result = found_by("series", period=period, length=length)
    axis = figure_of(section.over_time(result, LIGHT))["layout"]["xaxis"]
    assert (axis["tick0"], axis["dtick"], axis["range"][0]) == (0, step, 0)
    assert axis["range"][1] / step < 6


@pytest.mark.parametrize("entries", [{}, {"length": "12"}, {"length": "12", "strategy": "banded"}, {"totals": "each"}])
def test_no_two_lines_of_the_lead_picture_look_the_same(entries):
    figure = figures.over_time_figure(found_by("series", **entries), LIGHT)
    drawn = [(trace["line"]["color"], trace["line"]["dash"]) for trace in figure["data"]]
    assert len({*drawn}) == len(drawn)


def test_the_error_of_a_trial_has_the_colour_of_its_method():
    for method, (shade, _) in figures.LOOKS.items():
        result = found_by("series", strategy=method)
        trace = figures.trial_errors_figure(result, result.trial, LIGHT)["data"][-1]
        assert trace["line"]["color"] == trace["marker"]["color"] == LIGHT[shade]
