"""The statements on a quantile. Of the user's own values they have only the range and the step, as entered."""

from dataclasses import replace

from pages.framework.layout.downloads import Downloads
from pages.framework.layout.statements import Statements
from pages.framework.parameters.number_format import format_input_up
from pages.median.conditions import range_conditions
from pages.median.quantile.text import mechanism_words, values_text
from pages.median.results import MedianResult
from pages.shared.release_program.program import Choice, quantile_statistic, release_downloads
from pages.shared.statements import Release, in_full, off_by, release_statements
from pages.shared.values.amounts import entered_amount, quantile_name

_PROOFS = {
    "permute_and_flip": "McKenna & Sheldon 2020, for a score that one person moves by max(q, 1 − q), or 1 if replaced",
    "exponential": "the exponential mechanism of McSherry & Talwar 2007, as in Smith 2011",
}


def has_statements(result: MedianResult) -> bool:
    """Return whether there is an answer."""
    return not result.problem_text


def statements(result: MedianResult) -> Statements | None:
    """Return the statements on the release; None without an answer."""
    if result.problem_text:
        return None
    setting, release = result.setting, result.setting.quantile_release
    name = quantile_name(setting.quantile)
    low, high = in_full(entered_amount(setting.low)), in_full(entered_amount(setting.high))
    mechanism = mechanism_words(release)
    stated = Release(
        noise=f"The published {name} is drawn at random from {low} to {high}, more probably near the exact one",
        error=_error(result, name),
        mechanism=f"{mechanism[:1].lower()}{mechanism[1:]}",
        proof=_PROOFS[release.mechanism],
        epsilon=format_input_up(setting.epsilon),
        neighbours=setting.neighbours,
    )
    return release_statements(stated, range_conditions(result))


def downloads(result: MedianResult) -> Downloads | None:
    """Return the program that draws the quantile, on its steps or of any number of the range."""
    setting, release = result.setting, result.setting.quantile_release
    if result.problem_text:
        return None
    draw = Choice(release.mechanism, setting.epsilon, setting.neighbours == "replace", quantile=setting.quantile)
    choice = draw.among(setting.low, setting.high, release.step, lambda: release.candidates.size)
    name, assumed = quantile_name(setting.quantile), values_text(result).partition(", ")[2]
    half_width = None if setting.is_own else result.quantile.error
    statistic = quantile_statistic(name[:1].upper() + name[1:], choice, half_width, setting.significance, assumed)
    return release_downloads(
        (replace(statistic, unit=setting.unit),),
        (setting.epsilon, 0.0),
        setting.neighbours,
        range_conditions(result),
        lambda: statements(result),
    )


def _error(result: MedianResult, name: str) -> tuple[str, str]:
    """Return the error that the page states for values as assumed; that of the user's own values says much of them."""
    setting = result.setting
    if setting.is_own:
        return "", ""
    public, numbers = off_by(
        f"for values as assumed, the published {name}",
        result.quantile.error,
        setting.significance,
        setting.unit,
        is_at_least=True,
    )
    return public, f"{numbers} (assumed: {values_text(result).partition(', ')[2]})"
