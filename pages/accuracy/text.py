"""The phrases that several sections have in common."""

from dpcore.calibrations import Calibration
from dpcore.families import FAMILIES
from pages.accuracy.parameters import QUERY, AccuracySetting
from pages.framework.parameters.number_format import escape_markdown, format_input_up, format_up
from pages.shared.formulas import share, within
from pages.shared.values.parameters import unit_after


def noise_name(rule: Calibration) -> str:
    """Return the name of a noise within a sentence."""
    return f"{'analytic Gaussian' if rule.family == 'gaussian' else FAMILIES[rule.family].words} noise"


def half_width_text(value: float, unit: str) -> str:
    """Return a computed half-width, in Markdown."""
    number = format_up(value)
    return f"±{number} {escape_markdown(unit_after(number, unit))}".rstrip()


def plain_half_width(number: str, unit: str) -> str:
    """Return a half-width with its unit, without Markdown.

    >>> plain_half_width("1", "people"), plain_half_width("0.01", "")
    ('±1 person', '±0.01')
    """
    return f"±{number} {unit_after(number, unit)}".rstrip()


def target_text(setting: AccuracySetting) -> str:
    """Return the half-width that the user wants, in Markdown."""
    number = format_input_up(setting.accuracy)
    return f"±{number} {escape_markdown(unit_after(number, setting.facts.unit))}".rstrip()


def releases_text(significance: float) -> str:
    """Return how many releases fall within the half-width, without what they do.

    >>> releases_text(0.05), releases_text(1 / 3)
    ('95 of 100 releases', 'at least 66.66 % of releases')
    """
    return within(significance).rsplit(" ", 1)[0]


def setting_text(setting: AccuracySetting) -> str:
    """Return the parameters that distinguish a pinned setting from others."""
    known = f"wanted ±{format_input_up(setting.accuracy)}"
    if setting.target is None:
        known = f"ε = {format_input_up(setting.epsilon)}"
    query = {**QUERY.options, "own": "Own query"}[setting.query].lower()
    return f"{query}, {known}, δ = {format_input_up(setting.delta)}, {share(setting.significance)} of releases"


def epsilon_text(value: float) -> str:
    """Return an ε rounded up, or that it is beyond any use."""
    return "above 1e6" if value > 1e6 else format_up(value)


def epsilon_equation(value: float) -> str:
    """Return an ε as an equation, or that no private release has one so large."""
    return "ε above 1e6" if value > 1e6 else f"ε = {format_up(value)}"


def level_text(setting: AccuracySetting) -> str:
    """Return the confidence and δ, for a subtitle."""
    return f"confidence {share(setting.significance)}, δ = {format_input_up(setting.delta)}"
