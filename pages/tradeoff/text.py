"""The words of the trade-off page: its answer, the table of readings, and what its pictures show."""

import math
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import pandas as pd

from dpcore import tradeoff
from pages.framework.parameters.number_format import (
    chart_text,
    escape_markdown,
    format_down,
    format_input_down,
    format_input_up,
    format_up,
    odds,
    percent,
    percent_down,
    percent_up,
)
from pages.framework.parameters.number_format import table_html as table
from pages.tradeoff.figures import Drawn
from pages.tradeoff.rows import Row, TradeoffSetting

GLOSSARY = (
    "**Caught**: power, the true cases that the best attack finds. **Posterior, odds**: how sure it is after a "
    "positive test. **Smallest μ**: the least μ for which the two data sets are at least as hard to tell apart as a "
    "draw of N(0, 1) and one of N(μ, 1). **Advantage**: the largest power minus false alarms. **Bayes accuracy, "
    "error**: right and wrong calls of the best guess with this prior. **Risk ÷ prior**: posterior over prior."
)
FOLLOWED = (
    "What follows the page: **(ε, δ)-DP** is the promise itself, **Gaussian at (ε, δ)** the least Gaussian noise that "
    "keeps it, **Laplace at ε** the least Laplace noise that keeps pure ε-DP."
)
_MOST_NAMES = 3  # in a subtitle


def answer(row: Row, alone: float | None) -> tuple[str, str]:
    """What the best attack at this false-alarm rate catches, and what a positive test then means.

    `alone` is the power that the promise behind the curve would allow to a mechanism of which nothing else is known.
    """
    if row.power == 0:
        return _caught(row, alone), (
            "No test is ever positive at this α, so nothing follows from one: read the curve at a small α instead."
        )
    prior = row.prior
    before = f"Someone {share_of(prior)} sure beforehand (odds {odds(prior / (1 - prior))}) is"
    after = f"{sure(row)} sure after a positive test (odds {(odds_down if row.reached else odds)(row.odds)})"
    if row.reached:
        return _caught(row, alone), f"{before} {after}. Points show what was reached: another attack may catch more."
    return _caught(row, alone), f"{before} at most {after}. {outcome_bound(row, prior)}"


def _caught(row: Row, alone: float | None) -> str:
    """How much is caught at the false-alarm rate."""
    who, name = f"An attacker who accepts {rate(row.alpha)}", escape_markdown(row.name)
    if row.reached:
        catches = "catches" if row.item.releases == "1" else "would catch about"
        return f"{who} {catches} {caught(row)} of the true cases with the tests of these points ({name})."
    most = f"{who} catches at most {caught(row)} of the true cases ({name})"
    if row.claimed:
        return f"{most}, if what is claimed holds."
    return f"{most}." if alone is None else f"{most}; its promise alone would allow {percent_up(alone)}."


def caught(row: Row) -> str:
    """The share that is caught at the false-alarm rate."""
    return (percent_down if row.reached else percent_up)(row.power)


def sure(row: Row) -> str:
    """How sure a positive test makes."""
    return (percent_down if row.reached else percent_up)(row.posterior)


def compared(row: Row, kept: Row) -> str:
    """What has changed since the kept setting."""
    said = f"Pinned ({escape_markdown(described(kept))}): caught {caught(kept)} → {caught(row)}"
    if kept.power > 0 and row.power > 0:
        said += f", sure after a positive test {sure(kept)} → {sure(row)}"
    return f"{said}."


def described(row: Row) -> str:
    """A curve and where it is read, in a line."""
    return f"{row.shown}, α = {format_input_down(row.alpha)}, prior {share_of(row.prior)}"


def advice(row: Row) -> str:
    """What to do about what the attacker learns."""
    if row.reached:
        return (
            "**What to do.** Points that an attack reached are no guarantee: choose a curve that is promised, and hold "
            "the attack's scores or counts against it in “An attack's results”."
        )
    if row.power == 0:
        return "**What to do.** Choose a larger α: without false alarms no attack on this curve accuses anybody."
    return (
        f"**What to do.** Ask whether {sure(row)} is surer than you can answer for to the person at risk. If it is, "
        "choose a smaller ε, δ or μ, or release less often. If you know the mechanism, report its curve or its μ "
        "beside (ε, δ): a reader who knows (ε, δ) alone must reckon with the curve of that promise."
    )


def rate(alpha: float) -> str:
    """A false-alarm rate in words, as a percentage unless that were an unreadable one; 1e-6 breaks over no line."""
    if alpha == 0 or alpha >= 1e-4:
        return f"{share_of(alpha)} false alarms"
    return "a false-alarm rate of " + format_input_down(alpha).replace("e-", "e-\u2060")


def share_of(given: float) -> str:
    """A probability as it was given, in per cent, or rounded down: what holds at it holds at a smaller one too."""
    shown = format_input_down(float(100 * Decimal(repr(given))))
    return percent(given, 17) if shown == "100" and given < 1 else f"{shown} %"


def odds_down(value: float) -> str:
    """Text of odds that must not be overstated.

    >>> odds_down(0.57669), odds_down(9), odds_down(float("inf"))
    ('1 to 1.735', '9 to 1', 'certain')
    """
    if math.isinf(value):
        return "certain"
    return f"{format_down(value)} to 1" if value >= 1 else f"1 to {format_up(1 / value)}"


def outcome_bound(row: Row, prior: float) -> str:
    """The bound that pure ε-DP, and only it, sets on the worst single outcome."""
    pure = row.curve.pure_epsilon
    if pure is not None:
        worst = float(tradeoff.pure_posterior(pure, prior))
        return f"No outcome makes them more than {percent_up(worst)} sure: the promise is pure, ε = {format_up(pure)}."
    if row.item.kind == "approx" and row.certain > 0:  # a numerical composition has some of its own
        share = format_up(row.certain)
        return f"With probability up to {share} an outcome may leave no doubt, so no odds hold for every outcome."
    return "A rarer outcome may tell more; only pure ε-DP bounds every single one."


def rounding(rows: Sequence[Row]) -> str:
    """How the numbers of the table are rounded, and what they say."""
    said = "To four digits, rounded up: no attack does better than these numbers; Bayes error is rounded down."
    if any(row.reached for row in rows):
        said += " Points show what was reached: theirs are rounded the other way, and an attack may do better."
    if any(row.claimed for row in rows):
        said += " What is claimed holds only if the claim does, with the straight lines between its points."
    return said


def table_html(rows: Sequence[Row], setting: TradeoffSetting, kept: Sequence[Row | None] | None) -> str:
    """Every curve read at the chosen α, prior and δ, as an accessible HTML table, beside those of a kept setting."""
    heads = [
        "Curve",
        f"Caught at <span>α = {format_input_down(setting.alpha)}</span>",
        *([] if kept is None else ["Caught, <span>pinned</span>"]),
        f"Posterior and odds, <span>prior {share_of(setting.prior)}</span>",
        f"ε at <span>δ = {format_input_up(setting.delta)}</span>",
        "Smallest μ",
        "Advantage",
        "Bayes accuracy",
        "Bayes error",
        "Risk ÷ prior",
    ]
    body = []
    for place, row in enumerate(rows):
        number, share, error = (
            (format_down, percent_down, percent_up) if row.reached else (format_up, percent_up, percent_down)
        )
        chance = (odds_down if row.reached else odds)(row.odds) if row.power > 0 else odds(row.odds)
        before = [] if kept is None else [caught(old) if (old := kept[place]) else "–"]
        cells = [caught(row), *before, f"{share(row.posterior)}, {chance}"]
        cells += ["none" if math.isinf(value) else number(value) for value in (row.epsilon, row.mu)]
        cells += [share(row.advantage), share(row.bayes_accuracy), error(row.bayes_error), f"{number(row.risk)} ×"]
        body.append([row.shown, *cells])
    return table("The curves in numbers", "readings", heads, body)


def readings_frame(rows: Sequence[Row]) -> pd.DataFrame:
    """The table as a frame."""
    names = ("power", "posterior", "odds", "epsilon", "mu", "advantage", "bayes_accuracy", "bayes_error", "risk")
    columns = {"curve": [row.shown for row in rows]} | {name: [getattr(row, name) for row in rows] for name in names}
    return pd.DataFrame(columns)


def subtitle(names: Sequence[str], parameters: str) -> str:
    """The curves and the parameters of a picture."""
    shown = names if len(names) <= _MOST_NAMES else [*names[:_MOST_NAMES], f"{len(names) - _MOST_NAMES} more"]
    return f"{chart_text(', '.join(shown))}; {chart_text(parameters)}"


def alternative(rows: Sequence[Row], setting: TradeoffSetting) -> str:
    """What the picture of the curves shows, in a sentence for those who can't see it."""
    parts = []
    for row in rows:
        if row.reached:
            parts.append(f"{row.name} caught {percent_down(row.power)} and missed {percent_up(row.beta)}")
        else:
            caught, missed = percent_up(row.power), percent_down(row.beta)
            parts.append(f"{row.shown} lets at most {caught} be caught, so at least {missed} are missed")
    axes = {
        "errors": "Type II error against type I error",
        "power": "Power against false alarms",
        "log": "Power against false alarms on log axes down to 1e-10",
    }[setting.view]
    curves = f"{len(rows)} curve{'s' if len(rows) > 1 else ''}"
    return f"{axes} for {curves}. At {rate(setting.alpha)}, {'; '.join(parts)}."


def curves_frame(drawn: Sequence[Drawn]) -> pd.DataFrame:
    """The points of all curves, one below the other, under their names."""
    return pd.concat({each.name: pd.DataFrame(each.points) for each in drawn}, names=["curve"]).reset_index(level=0)


def csv_header(names: Sequence[str], written: str, **setting: Any) -> dict[str, str]:
    """The curves, what else the numbers depend on, and their units, for the top of a CSV."""
    units = "alpha, beta, power, delta are probabilities; epsilon in nats; mu dimensionless"
    return {
        "curves": "; ".join(names),
        "curves in the link": written,
        **{key: str(value) for key, value in setting.items()},
        "units": units,
    }
