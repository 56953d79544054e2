"""The words on how many records a wanted accuracy takes."""

import math

from pages.accuracy.query import AccuracySetting
from pages.accuracy.text import aim, kept, kept_place
from pages.framework.parameters.number_format import format_input_up, format_up

Least = tuple[float, float]
"""The least n with Laplace and with analytic Gaussian noise, NaN where there is none."""


def answer(found: Least, setting: AccuracySetting, before: tuple[Least, AccuracySetting] | None) -> tuple[str, ...]:
    """The least n at the current ε, what it means, and what a kept setting had."""
    said = _said(*found, setting)
    if before is None:
        return said
    names = ("Laplace noise", "the analytic Gaussian")
    changes = (f"{_n(was)} → {_n(n)} with {name}" for was, n, name in zip(before[0], found, names, strict=True))
    return (
        *said,
        f"Pinned ({kept_place(before[1])}, ±{format_input_up(before[1].accuracy)}) → now: n {', n '.join(changes)}.",
    )


def _said(laplace: float, normal: float, setting: AccuracySetting) -> tuple[str, str]:
    wanted, place = aim(setting), f"ε = {format_input_up(setting.epsilon)}"
    if setting.accuracy >= (setting.asked.width or math.inf):
        return (
            f"{wanted} is as wide as the whole range.",
            "Any value of the range is as near to the truth, without a look at the data. Choose a smaller one.",
        )
    target = f"{wanted} for {kept(setting.significance)} at {place} takes"
    gaussian = f"with the analytic Gaussian at δ = {format_input_up(setting.delta)}"
    if math.isnan(laplace) and math.isnan(normal):
        return f"At {place} no number of records that is worth asking for reaches {wanted}.", "Raise ε."
    if math.isnan(laplace):
        said = "Laplace noise has no answer at so small an ε. Raise ε for pure ε-DP."
        return f"{target} n = {_records(normal)} {gaussian}.", said
    beside = "" if math.isnan(normal) else f"It takes n = {_records(normal)} {gaussian}. "
    twice = "With Laplace noise, half the ε takes about twice the records." if laplace >= 10 else ""
    return f"{target} n = {_records(laplace)} with Laplace noise (pure ε-DP).", f"{beside}{twice}" or "One is enough."


def recommendation(found: Least, setting: AccuracySetting) -> str:
    """What to do for the promise that is ticked, and why."""
    laplace, normal = found
    if (math.isnan(laplace) and math.isnan(normal)) or setting.accuracy >= (setting.asked.width or math.inf):
        return ""
    fewer = math.isnan(laplace) or (setting.promise == "delta" and normal < laplace)
    name, n = ("the analytic Gaussian", normal) if fewer else ("Laplace noise", laplace)
    enough = "you have enough" if setting.n_records >= n else "collect more, raise ε or accept a larger error"
    head = f"**What to do: use {name}, with at least {_records(n)}**; with your n = {setting.n_records:,.0f}, {enough}."
    if fewer and setting.promise == "pure":
        return f"{head} It keeps (ε, δ)-DP: at so small an ε pure ε-DP takes more records than are worth asking for."
    if setting.promise == "pure" or fewer:
        return head
    return f"{head} The δ that you accept would save no records, and Laplace noise keeps pure ε-DP."


def _records(n: float) -> str:
    return "1 record" if n == 1 else f"{format_up(n)} records"


def _n(n: float) -> str:
    return "–" if math.isnan(n) else format_up(n)
