"""The words of the trade-off page: its answer, the table of readings, quotations, what an attack proves."""

import math
from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpcore import tradeoff
from dpcore.audit import Band, Proved
from dpcore.checks import Array
from dpcore.tradeoff.readings import SMALLEST_ERROR, Quotation
from pages.shared.text import (
    calm,
    down,
    given_down,
    given_up,
    nearest,
    odds,
    percent,
    percent_down,
    percent_up,
    plain,
    up,
)
from pages.shared.text import table_html as table
from pages.tradeoff.attack import Measured
from pages.tradeoff.figures import Drawn
from pages.tradeoff.rows import Row, Setting

GLOSSARY = (
    "**Caught**: power, the true cases that the best attack finds. **Posterior, odds**: how sure it is after a "
    "positive test. **Smallest μ**: the least μ of which the curve keeps the promise. **Advantage**: the largest power "
    "minus false alarms. **Bayes accuracy, error**: right and wrong calls of the best guess with this prior. **Risk ÷ "
    "prior**: posterior over prior."
)
_WIDTH = 54  # characters of names in a line that is not cut on a phone
USED = (
    "Of the parameters at the side, δ is used in the table's column of ε, in a quotation at δ and against an attack, ε "
    "only in a quotation at ε. The sensitivity and the significance level change nothing on this page."
)
NO_ATTACK = (
    "Measure the claim: give the scores that an attack assigned to members and non-members, or its counts. The page "
    "shows which ε and μ these results prove, and whether they contradict the chosen curve."
)
NOT_PROVED = (
    "It does not prove privacy: a better attack may reach more, and on other data too. The confidence speaks of "
    "independent trials; many records scored against one trained model are not strictly independent. Points given as "
    "counts must have been fixed before looking at these data; for scores the thresholds are chosen by rank, and ties "
    "are broken at random from the seed."
)


def answer(row: Row, setting: Setting) -> tuple[str, str]:
    """What the best attack at this false-alarm rate catches, and what a positive test then means."""
    name = plain(row.name)
    if row.reached:
        catches = "catches" if row.item.releases == "1" else "would catch about"
        sentence = (
            f"An attacker who accepts {rate(setting.alpha)} {catches} {percent_down(row.power)} of the true cases with "
            f"the tests of these points ({name})."
        )
    else:
        most = percent_up(row.power)
        sentence = f"An attacker who accepts {rate(setting.alpha)} catches at most {most} of the true cases ({name})."
    if row.power == 0:
        return sentence, (
            "No test is ever positive at this α, so nothing follows from one: read the curve at a small α instead."
        )
    prior = setting.prior
    before = f"Someone {share_of(prior)} sure beforehand (odds {odds(prior / (1 - prior))}) is"
    if row.reached:
        after = f"{percent_down(row.posterior)} sure after a positive test (odds {odds_down(row.odds)})"
        return sentence, f"{before} {after}. Points show what was reached: another attack may catch more."
    after = f"at most {percent_up(row.posterior)} sure after a positive test (odds {odds(row.odds)})"
    return sentence, f"{before} {after}. {outcome_bound(row, prior)}"


def rate(alpha: float) -> str:
    """A false-alarm rate in words, as a percentage unless that were an unreadable one; 1e-6 breaks over no line."""
    if alpha == 0 or alpha >= 1e-4:
        return f"{share_of(alpha)} false alarms"
    return "a false-alarm rate of " + given_down(alpha).replace("e-", "e-\u2060")


def share_of(given: float) -> str:
    """A probability as it was given, in per cent, or rounded down: what holds at it holds at a smaller one too."""
    shown = given_down(100 * given)
    return percent(given, 17) if shown == "100" and given < 1 else f"{shown} %"


def odds_down(value: float) -> str:
    """Text of odds that must not be overstated.

    >>> odds_down(0.57669), odds_down(9), odds_down(float("inf"))
    ('1 to 1.735', '9 to 1', 'certain')
    """
    if math.isinf(value):
        return "certain"
    return f"{down(value)} to 1" if value >= 1 else f"1 to {up(1 / value)}"


def outcome_bound(row: Row, prior: float) -> str:
    """The bound that pure ε-DP, and only it, sets on the worst single outcome."""
    pure = row.curve.pure_epsilon
    if pure is not None:
        worst = float(tradeoff.pure_posterior(pure, prior))
        return f"No outcome makes them more than {percent_up(worst)} sure: the promise is pure, ε = {up(pure)}."
    if row.item.kind == "approx" and row.certain > 0:  # a numerical composition has some of its own
        share = up(row.certain)
        return f"With probability up to {share} an outcome may leave no doubt, so no odds hold for every outcome."
    return "A rarer outcome may tell more; only pure ε-DP bounds every single one."


def rounding(rows: Sequence[Row]) -> str:
    """How the numbers of the table are rounded, and what they say."""
    sentence = "To four digits, rounded up: no attack does better than these numbers; Bayes error is rounded down."
    if not any(row.reached for row in rows):
        return sentence
    return f"{sentence} Points show what was reached: theirs are rounded the other way, and an attack may do better."


def table_html(rows: Sequence[Row], setting: Setting) -> str:
    """Every curve read at the chosen α, prior and δ, as an accessible HTML table."""
    heads = [
        "Curve",
        f"Caught at <span>α = {given_down(setting.alpha)}</span>",
        f"Posterior and odds, <span>prior {share_of(setting.prior)}</span>",
        f"ε at <span>δ = {given_up(setting.delta)}</span>",
        "Smallest μ",
        "Advantage",
        "Bayes accuracy",
        "Bayes error",
        "Risk ÷ prior",
    ]
    body = []
    for row in rows:
        number, share, error = (down, percent_down, percent_up) if row.reached else (up, percent_up, percent_down)
        chance = (odds_down if row.reached else odds)(row.odds) if row.power > 0 else odds(row.odds)
        cells = [share(row.power), f"{share(row.posterior)}, {chance}"]
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
    """The curves and the parameters of a picture, in lines that fit a phone."""
    most = next(n for n in (3, 2, 1) if n == 1 or len(", ".join(names[:n])) <= _WIDTH)
    shown = names if len(names) <= most else [*names[:most], f"{len(names) - most} more"]
    return f"{escape(', '.join(shown))}<br>{escape(parameters)}"


def alternative(rows: Sequence[Row], setting: Setting) -> str:
    """What the picture of the curves shows, in a sentence for those who can't see it."""
    parts = []
    for row in rows:
        if row.reached:
            parts.append(f"{row.name} caught {percent_down(row.power)} and missed {percent_up(row.beta)}")
        else:
            caught, missed = percent_up(row.power), percent_down(row.beta)
            parts.append(f"{row.name} lets at most {caught} be caught, so at least {missed} are missed")
    axes = {
        "errors": "Type II error against type I error",
        "power": "Power against false alarms",
        "log": "Power against false alarms on log axes down to 1e-10",
    }[setting.view]
    curves = f"{len(rows)} curve{'s' if len(rows) > 1 else ''}"
    return f"{axes} for {curves}. At {rate(setting.alpha)}, {'; '.join(parts)}."


def curves_frame(drawn: Sequence[Drawn]) -> pd.DataFrame:
    """The points of all curves, one below the other, under their names."""
    return pd.concat({each.name: each.points for each in drawn}, names=["curve"]).reset_index(level=0)


def pair(row: Row, quoted: Quotation, setting: Setting) -> str:
    """The (ε, δ) of a quotation, both to the safe side: what is kept no smaller, what is needed at least no larger."""
    found, given = (down, given_down) if row.reached else (up, given_up)
    of_epsilon, of_delta = (found, given) if setting.quote == "delta" else (given, found)
    return f"ε = {of_epsilon(quoted.epsilon)}, δ = {of_delta(quoted.delta)}"


def quotation_labels(row: Row, quoted: Quotation, setting: Setting) -> tuple[str, tuple[str, str]]:
    """The subtitle of the picture of a quotation, and the legend's words for its (ε, δ) and its μ."""
    quote, limited = pair(row, quoted, setting), "" if math.isfinite(quoted.mu.mu) else _LIMITED
    mu = f"smallest μ = {(down if row.reached else up)(quoted.limited_mu.mu)}"
    return f"{escape(row.shown)}: {quote}<br>{mu}{limited}", (quote, mu)


_LIMITED = f", for errors ≥ {nearest(SMALLEST_ERROR)}"


def quotation(row: Row, quoted: Quotation | None, conceded: pd.DataFrame | None, setting: Setting) -> list[str]:
    """What the (ε, δ) and the μ of a curve are, and what each concedes."""
    name = plain(row.name)
    if quoted is None or conceded is None:
        why = "it would be above 1e6"
        if row.certain > setting.delta:
            why = _without_false_alarm(row)
        return [
            f"**No ε goes with δ = {given_up(setting.delta)} for {name}**: {why}. Choose a larger δ, or quote at ε."
        ]
    reckon = f"A reader who knows only this pair must reckon with {_most(row, conceded, 'epsilon_delta')}."
    touches = f"touches the curve at α = {nearest(quoted.touches)}"
    epsilon, delta = pair(row, quoted, setting).split(", ")
    if row.reached:
        least, at = (epsilon, delta) if setting.quote == "delta" else (delta, epsilon)
        first = (
            f"**What {name} reached needs at least {least} at {at}**: nothing smaller allows these errors, if they are "
            f"the true ones, and another attack may reach more. The line of that promise {touches}. {reckon}"
        )
    else:
        first = f"**{name} keeps {epsilon} at {delta}.** The line of that promise {touches}. {reckon}"
    return [first, _mu_quoted(row, quoted, conceded)]


def _without_false_alarm(row: Row) -> str:
    """What stands behind the power of a curve without a false alarm."""
    if row.reached:
        return f"an attack without a false alarm succeeds with probability {down(row.certain)}"
    if row.item.kind == "approx":
        return f"an attack without a false alarm may succeed with probability {up(row.certain)}"
    return f"its numerical composition may be off by a δ of {up(row.certain)}"


def _mu_quoted(row: Row, quoted: Quotation, conceded: pd.DataFrame) -> str:
    safe = down if row.reached else up
    reckon = f"A reader who knows only μ must reckon with {_most(row, conceded, 'mu')}."
    if math.isfinite(quoted.mu.mu):
        which = "The smallest μ that allows them" if row.reached else "The smallest μ"
        at = nearest(quoted.mu.alpha)
        return f"**{which} is {safe(quoted.mu.mu)}**; its curve touches at α = {at}. {reckon}"
    return (
        f"**{_first_up(quoted.mu.reason)}.** For attacks with both errors at least {nearest(SMALLEST_ERROR)}, "
        f"μ = {safe(quoted.limited_mu.mu)} is enough. {reckon}"
    )


def _most(row: Row, conceded: pd.DataFrame, what: str) -> str:
    """The largest extra power of a quotation and where it is."""
    extra = conceded[f"extra_power_{what}"].to_numpy()
    worst = int(np.argmax(extra))
    beyond = "was reached" if row.reached else "the curve allows"
    if extra[worst] < 1e-12:
        return f"no more than {'what ' if row.reached else ''}{beyond}"
    points = percent_up(float(extra[worst])).removesuffix(" %")
    power, own = (float(conceded[name].to_numpy()[worst]) for name in (f"power_{what}", "power"))
    return (
        f"up to {points} percentage point{'' if points == '1' else 's'} more caught than {beyond}, at "
        f"α = {nearest(float(conceded['alpha'].to_numpy()[worst]))}: {percent_up(power)} instead of {percent_up(own)}"
    )


def _first_up(sentence: str) -> str:
    return sentence[:1].upper() + calm(sentence[1:])


def audit_text(
    measured: Measured, epsilon: Proved, mu: Proved, broken: dict[str, NDArray[np.bool_]], row: Row, setting: Setting
) -> str:
    """What the attack's results prove, at which confidence, and whether they contradict the chosen claim and others."""
    count, chosen = measured.attack.alpha.size, broken[row.name]
    claim = f"That no attack does better than {plain(row.name)}" if row.reached else f"The claim {plain(row.name)}"
    points = f"{count:,} measured point{'s' if count != 1 else ''} of {measured.source}"
    if chosen.any():
        bounds = f"{int(chosen.sum())} of {chosen.size} bound{'s' if chosen.size > 1 else ''}"
        verdict = f"**✗ {claim} is contradicted** at {bounds}."
    else:
        verdict = f"{claim} is not contradicted."
    others = [plain(other) for other, places in broken.items() if places.any() and other != row.name]
    if others:
        verdict += f" Of the other curves, {' and '.join(others)} {'are' if len(others) > 1 else 'is'} contradicted."
    return (
        f"**With {share_of(setting.confidence)} confidence, this attack proves ε ≥ {down(float(epsilon.value))} at "
        f"δ = {given_down(setting.delta)} and μ ≥ {down(float(mu.value))}** ({plain(points)}, all bounds holding at "
        f"once). {verdict}"
    )


def band_frame(band: Band, broken: Array | NDArray[np.bool_]) -> pd.DataFrame:
    """The measured errors, the bounds on the true ones, and whether they contradict the chosen claim."""
    columns = {"alpha": band.alpha, "beta": band.beta, "alpha_high": band.alpha_high, "beta_high": band.beta_high}
    return pd.DataFrame(columns | {"contradicts": broken})


def csv_header(names: Sequence[str], written: str, **setting: Any) -> dict[str, str]:
    """The curves, what else the numbers depend on, and their units, for the top of a CSV."""
    units = "alpha, beta, power, delta are probabilities; epsilon in nats; mu dimensionless"
    return {
        "curves": "; ".join(names),
        "curves in the link": written,
        **{key: str(value) for key, value in setting.items()},
        "units": units,
    }
