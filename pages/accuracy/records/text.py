"""The sentences on how many records a wanted accuracy takes."""

import math

from pages.accuracy.parameters import QUERY
from pages.accuracy.query import AccuracySetting
from pages.accuracy.text import level_text, plain_half_width, releases_text, setting_text, target_text
from pages.framework.parameters.number_format import format_input_down, format_input_up, format_up, plural

LeastRecords = tuple[float, float]
"""The least n with Laplace and with analytic Gaussian noise, NaN where there is none."""


def answer_text(
    least: LeastRecords, setting: AccuracySetting, pinned: tuple[LeastRecords, AccuracySetting] | None
) -> tuple[str, ...]:
    """Return the least n at the current ε, what it means, and what a pinned setting had."""
    sentences = _least_records_text(*least, setting)
    if pinned is None:
        return sentences
    names = ("Laplace noise", "the analytic Gaussian")
    changes = (
        f"{_n_or_dash(pinned_n)} → {_n_or_dash(n)} with {name}"
        for pinned_n, n, name in zip(pinned[0], least, names, strict=True)
    )
    return (
        *sentences,
        f"Compared with the pin ({setting_text(pinned[1])}, ±{format_input_up(pinned[1].accuracy)}): n "
        f"{', n '.join(changes)}.",
    )


def _least_records_text(laplace: float, gaussian_least: float, setting: AccuracySetting) -> tuple[str, str]:
    """Return the least n with each noise, and what it means."""
    target, place = target_text(setting), f"ε = {format_input_up(setting.epsilon)}"
    if setting.accuracy >= (setting.facts.width or math.inf):
        return (
            f"{target} is as wide as the whole range.",
            "Any value of the range satisfies this without using the data: choose a smaller error.",
        )
    sentence = f"{target} for {releases_text(setting.significance)} at {place} requires"
    gaussian = f"with the analytic Gaussian at δ = {format_input_up(setting.delta)}"
    if math.isnan(laplace) and math.isnan(gaussian_least):
        return f"At {place} no practical number of records is enough for {target}.", "Raise ε."
    if math.isnan(laplace):
        note = "Laplace noise is not available at so small an ε: raise ε for pure ε-DP."
        return f"{sentence} {_n_records_text(gaussian_least)} {gaussian}.", note
    parts = [] if math.isnan(gaussian_least) else [f"{gaussian} it requires {_n_records_text(gaussian_least)}"]
    parts += ["with Laplace noise, half the ε requires about twice the records"] if laplace >= 10 else []
    meaning = "; ".join(parts) or "one is enough"
    return (
        f"{sentence} {_n_records_text(laplace)} with Laplace noise (pure ε-DP).",
        f"{meaning[0].upper()}{meaning[1:]}.",
    )


def recommendation_text(least: LeastRecords, setting: AccuracySetting) -> str:
    """Return what to do for the chosen guarantee, and why."""
    laplace, gaussian_least = least
    if (math.isnan(laplace) and math.isnan(gaussian_least)) or setting.accuracy >= (setting.facts.width or math.inf):
        return ""
    fewer = math.isnan(laplace) or (setting.promise == "delta" and gaussian_least < laplace)
    name, n = ("the analytic Gaussian", gaussian_least) if fewer else ("Laplace noise", laplace)
    enough = "this is sufficient" if setting.n_records >= n else "collect more, raise ε or accept a larger error"
    advice = f"**What to do: use {name}, with at least {_n_records_text(n)}**"
    head = f"{advice}; with your n = {setting.n_records:,.0f}, {enough}."
    if fewer and setting.promise == "pure":
        return f"{head} It satisfies (ε, δ)-DP: at so small an ε pure ε-DP requires an impractical number of records."
    if setting.promise == "pure" or fewer:
        return head
    return f"{head} A δ > 0 would save no records, and Laplace noise satisfies pure ε-DP."


def _n_records_text(n: float) -> str:
    return plural(format_up(n), "record")


def _n_or_dash(n: float) -> str:
    return "–" if math.isnan(n) else format_up(n)


def subtitle(width: float, setting: AccuracySetting) -> str:
    """Return the parameters of the figure, as text."""
    half_width = plain_half_width(format_input_up(setting.accuracy), setting.facts.unit)
    query = f"{QUERY.options[setting.query]} within {half_width}"
    return f"{query}, hi − lo = {format_input_down(width)}, {level_text(setting)}"
