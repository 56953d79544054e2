"""The sentences on where each noise is smaller: from how many counts on, and above which δ."""

from dpcore.calibrations import FAILS, PDP
from dpcore.checks import DELTA_RANGE, Array, interval_bounds
from pages.framework.parameters.number_format import format_input_up, format_nearest, format_up
from pages.laplace_gaussian.parameters import LaplaceGaussianSetting
from pages.laplace_gaussian.results import LaplaceGaussianResult
from pages.laplace_gaussian.text import answer_text as page_answer_text
from pages.laplace_gaussian.text import measure_names, pinned_text, smaller_error_sentence
from pages.shared.laplace_query import gaussian_name

_LEAST_DELTA, _ = interval_bounds(DELTA_RANGE)
UNAVAILABLE = {
    "epsilon": "Laplace noise has no answer at this ε; the map in “Where each is smaller” shows where it has.",
    "histogram": "In one histogram a person is in one bin: adding or removing them moves one count by 1, so "
    "Δ₁ = Δ₂ = 1 however many bins there are, and the comparison does not depend on their number.",
    "own": "With your own Δ₁ and Δ₂ there is no number of statistics to vary: the map shows which noise "
    "is smaller for this pair.",
}


def answer_text(result: LaplaceGaussianResult) -> tuple[str, ...]:
    """Return where the Gaussian is the smaller noise by the measure, and which one is smaller for the query.

    Where there is nothing to compare, it is the answer of the page.
    """
    setting = result.setting
    if not result.has_answer or _violation_text(setting):
        return page_answer_text(result)
    pinned = () if result.pinned is None else (pinned_text(result, result.pinned),)
    where = _counts_sentence(result) if result.has_counts else _frontier_sentence(result).replace("**", "")
    return where, smaller_error_sentence(result), *pinned


def _counts_sentence(result: LaplaceGaussianResult) -> str:
    setting, least = result.setting, result.crossing
    measure, name = measure_names(setting)[setting.measure], gaussian_name(setting.calibration)
    place = "For any number of counts" if least == 1 else f"From k = {least:,} counts on"
    return f"{place}, the {name} has the smaller {measure} ({setting.guarantee_text})."


def crossover_text(result: LaplaceGaussianResult) -> str:
    """Return where each noise is the smaller: over the number of counts, and over ε and δ."""
    if not result.has_answer:
        return UNAVAILABLE["epsilon"]
    if result.has_counts:
        return f"{counts_text(result)} {frontier_text(result)}"
    setting = result.setting
    return f"{UNAVAILABLE[setting.case]} {frontier_text(result)}{_violation_text(setting)}"


def counts_text(result: LaplaceGaussianResult) -> str:
    """Return from how many counts on the Gaussian is the smaller by the measure."""
    setting, least = result.setting, result.crossing
    measure, name = measure_names(setting)[setting.measure], gaussian_name(setting.calibration)
    if least == 1:
        sentence = f"At {setting.guarantee_text} the {name} has the smaller {measure} for any number of counts."
    else:
        sentence = (
            f"At {setting.guarantee_text} the {name} has the smaller {measure} **from k = {least:,} counts on**,"
            " and Laplace noise for fewer counts. Laplace noise grows like k, Gaussian noise like √k."
        )
    return f"{sentence}{_violation_text(setting)}"


def _violation_text(setting: LaplaceGaussianSetting) -> str:
    """Return a warning where the compared σ violates its guarantee."""
    verdict = setting.calibration.verdict(setting.epsilon, setting.delta)
    return (
        f" **✗ But the {gaussian_name(setting.calibration)}’s σ violates its guarantee here.**"
        if verdict.status == FAILS
        else ""
    )


def frontier_text(result: LaplaceGaussianResult) -> str:
    """Return above which δ the Gaussian is the smaller at the current ε, and what is proved of it."""
    setting = result.setting
    is_proposition = setting.calibration is PDP and setting.measure == "variance" and setting.l1 == setting.l2
    proposition = " For one statistic this is never below δ = 0.157 (Liu 2019, Proposition 12)."
    has_frontier = _LEAST_DELTA <= result.frontier < 1
    return f"{_frontier_sentence(result)}{proposition if is_proposition and has_frontier else ''}"


def failing_text(result: LaplaceGaussianResult, failures: tuple[Array, Array]) -> str:
    """Return, after a space, where the map is hatched: the ε from which on the σ fails, and their δ; else nothing."""
    if not failures[0].size:
        return ""
    ends = " and ".join(
        f"from ε = {format_up(failures[0][place])} on at δ = {format_nearest(failures[1][place])}" for place in (0, -1)
    )
    return f" Hatched: the {gaussian_name(result.setting.calibration)}’s σ violates its guarantee, {ends}."


def _frontier_sentence(result: LaplaceGaussianResult) -> str:
    setting, delta = result.setting, result.frontier
    measure = measure_names(setting)[setting.measure]
    place = f"At ε = {format_input_up(setting.epsilon)} and Δ₁ ÷ Δ₂ = {format_nearest(setting.l1 / setting.l2, 3)}"
    if delta >= 1:
        return f"{place} Laplace noise has the smaller {measure} at every δ."
    if delta < _LEAST_DELTA:
        return f"{place} the Gaussian has the smaller {measure} at every δ from {format_nearest(_LEAST_DELTA)} on."
    return f"{place} the Gaussian has the smaller {measure} only above **δ = {format_nearest(delta)}**."
