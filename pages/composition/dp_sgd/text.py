"""The words of DP-SGD: what the training costs or needs, what that means, and what users get wrong."""

import math

import numpy as np

from dpcore import composition
from pages.composition.dp_sgd.map_results import Ratios
from pages.composition.dp_sgd.results import LEAST_NOISE, Training, drawn_exactly, training
from pages.composition.parameters import MOST_RUNS
from pages.composition.results import CompositionResult
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import (
    format_down,
    format_input_down,
    format_input_up,
    format_nearest,
    format_up,
    percent_down,
)

_WEAK = 10.0  # an ε from which on the factor e^ε limits next to nothing


def answer_text(result: CompositionResult) -> tuple[str, ...]:
    """What the training costs, or the number that was left open, and what that means."""
    now = training(result)
    said = _headline(now), _meaning(now)
    if result.pinned is None:
        return said
    before = training(result.pinned)
    changes = [f"ε {format_up(before.epsilon)} → {format_up(now.epsilon)}"]
    if now.noise != before.noise:
        changes.append(f"noise {format_up(before.noise)} → {format_up(now.noise)}")
    if now.steps != before.steps:
        changes.append(f"steps {format_nearest(before.steps, 7)} → {format_nearest(now.steps, 7)}")
    if now.delta != before.delta:
        changes.append(f"δ {format_input_up(before.delta)} → {format_input_up(now.delta)}")
    return *said, f"Since the pinned setting: {', '.join(changes)}."


def _headline(now: Training) -> str:
    at = f"δ = {format_input_up(now.delta)}"
    if now.solve == "epsilon":
        rdp = f"; RDP would say {format_up(now.rdp)}" if now.rdp > now.epsilon * (1 + 1e-3) else ""
        return (
            f"Training {_epochs(now)} with noise {format_input_down(now.noise)} keeps ε = {format_up(now.epsilon)} at"
            f" {at}{rdp}."
        )
    target = f"ε = {format_input_up(now.target)} at {at}"
    return {"noise": _noise, "steps": _steps, "rate": _batch}[now.solve](now, target)


def _epochs(now: Training) -> str:
    return f"{format_input_up(now.epochs)} epoch{'' if now.epochs == 1 else 's'}"


def _noise(now: Training, target: str) -> str:
    if not now.kept:
        return f"No noise multiplier up to 1e6 keeps {target} over {_epochs(now)}."
    rdp = f"; RDP would ask for {format_up(now.by_rdp)}" if math.isfinite(now.by_rdp) else ""
    return f"Noise {format_up(now.noise)} keeps {target} over {_epochs(now)}{rdp}."


def _steps(now: Training, target: str) -> str:
    if not now.kept:
        return f"Not even one step with noise {format_input_down(now.noise)} keeps {target}."
    rdp = f"; by RDP {_passes(now.by_rdp * now.rate)}" if now.by_rdp < now.steps else ""
    if now.steps == MOST_RUNS:
        limit = f"the search ends at {format_nearest(MOST_RUNS)} steps"
        return (
            f"Noise {format_input_down(now.noise)} stays within {target} for at least {_passes(now.epochs)}"
            f" ({limit}){rdp}."
        )
    kept = f"ε = {format_input_up(now.target)}, δ = {format_input_up(now.delta)}"
    return f"Noise {format_input_down(now.noise)} lasts {_passes(now.epochs)} at {kept}{rdp}."


def _passes(epochs: float) -> str:
    return f"{format_down(epochs)} epoch{'' if format_down(epochs) == '1' else 's'}" if epochs else "none"


def _batch(now: Training, target: str) -> str:
    if not now.kept:
        return (
            f"No batch with at most 1e6 steps keeps {target} over {_epochs(now)} with noise"
            f" {format_input_down(now.noise)}."
        )
    rdp = f"; by RDP {format_nearest(now.by_rdp, 7) if now.by_rdp else 'none'}" if now.by_rdp < now.batch else ""
    noise = format_input_down(now.noise)
    whole = ", all records at once," if now.batch >= now.records else ""
    return (
        f"A batch of {format_nearest(now.batch, 13)}{whole} keeps {target} over {_epochs(now)} with noise {noise}{rdp}."
    )


def _meaning(now: Training) -> str:
    """What is done, and what the ε found limits."""
    steps = f"{format_nearest(now.steps, 7)} step{'' if now.steps == 1 else 's'}"
    done = f"{steps} on {_size(now)} of {format_nearest(now.records, 13)} records, each drawn by chance (Poisson)."
    if not now.kept:
        least = (
            f"costs ε = {format_up(now.epsilon)} by itself"
            if now.solve == "steps"
            else f"costs ε = {format_up(now.epsilon)}"
        )
        return {
            "noise": f"Noise {format_nearest(now.noise)} {least}. Allow a larger ε or δ, or fewer epochs.",
            "steps": f"One step {least}. Allow a larger ε or δ, add noise, or take a smaller batch.",
            "rate": (
                f"A batch of {format_nearest(now.batch, 13)} {least}. Allow a larger ε or δ, add noise, or train less."
            ),
        }[now.solve]
    return f"{done} {limits(now.epsilon, now.delta)}"


def _size(now: Training) -> str:
    return f"about {format_input_up(now.batch)}"


def limits(epsilon: float, delta: float) -> str:
    """What (ε, δ) limits, in words."""
    if epsilon > _WEAK:
        return f"One record may change a probability by a factor e^{format_up(epsilon, 3)}: no limit in practice."
    factor = format_up(math.exp(epsilon), 3)
    return (
        f"One record changes the probability of every set of outcomes by at most a factor {factor}, plus "
        f"{format_input_up(delta)}."
    )


def subtitle(now: Training, view: str) -> str:
    """The parameters of a picture."""
    delta, records = f"δ = {format_input_up(now.delta)}", f"N = {format_nearest(now.records, 13)}"
    if view == "batch":
        less = "" if drawn_exactly(now.epochs, now.delta) else " Here by RDP only."
        return f"{_epochs(now)}, {records}: every point of a line keeps ε = {_wanted(now)} at {delta}.{less}"
    failed = f" {without_exact(now)}" if math.isnan(now.exact) else ""
    return f"{records}, batch {format_input_up(now.batch)}, noise {noise_text(now)}, {delta}. Poisson batches.{failed}"


def map_subtitle(now: Training, result: Ratios) -> str:
    """The parameters of the map, what its marks mean, and why a part of it is blank."""
    marks = "Red strokes: CLT more than 1 % below exact. Star: yours."
    blank = [f"more than {format_nearest(MOST_RUNS)} steps"] if result.beyond.any() else []
    blank += ["no exact ε found"] if np.isnan(result.exact[:, ~result.beyond]).any() else []
    why = f" Blank: {' or '.join(blank)}." if blank else ""
    return f"{_epochs(now)}, δ = {format_input_up(now.delta)}. Steps = epochs ÷ q. {marks}{why}"


def noise_text(now: Training) -> str:
    """The noise as it was given, or rounded up where it was solved for."""
    return (format_up if now.solve == "noise" else format_input_down)(now.noise)


def _wanted(now: Training) -> str:
    return format_up(now.epsilon) if now.solve == "epsilon" else format_input_up(now.target)


def alternative(now: Training) -> str:
    """What the pictures of the training show, in a sentence."""
    unknown = math.isnan(now.exact)
    exact = f"at most {format_up(now.epsilon)} as certified" if unknown else f"{format_nearest(now.exact)} exactly"
    return (
        f"{_headline(now)} ε grows with the epochs; at this training it is "
        f"{exact}, {format_up(now.rdp)} by RDP and {format_nearest(now.clt)} by the CLT, which is no bound."
        f"{' ' + without_exact(now) if unknown else ''}"
    )


def without_exact(now: Training) -> str:
    """Why there is no exact ε, and what stands in its place."""
    if now.noise < LEAST_NOISE:
        return "Exact integration takes too long for so little noise; shown is a certified upper bound."
    return "Exact integration failed; shown is a certified upper bound."


def rows(now: Training) -> list[tuple[str, float, str]]:
    """ε of the training by each account: its name, ε, and what it is worth."""
    return [
        ("Certified (this page’s answer)" if now.kept else "Certified", now.epsilon, "upper bound"),
        ("Exact, by a contour integral", now.exact, _worth_of_exact(now)),
        ("RDP, best order", now.rdp, "upper bound"),
        ("CLT (Gaussian limit)", now.clt, _worth_of_clt(now)),
    ]


def _worth_of_exact(now: Training) -> str:
    if not math.isnan(now.exact):
        return "right to about 9 digits, not proved"
    return "left out: it takes too long for so little noise" if now.noise < LEAST_NOISE else "left out: it failed"


def _worth_of_clt(now: Training) -> str:
    if math.isnan(now.clt):
        return "says nothing with so little noise"
    if now.clt < now.exact:
        return f"no bound: here {percent_down(1 - now.clt / now.exact, 2)} too small"
    if now.clt < now.least:
        return "no bound; whether it is too small here is not known"
    return "no bound; here it is not too small"


def table_html(now: Training) -> str:
    """ε by each account as an accessible table."""
    body = [
        [name, *(_shown(each, what) for each in (value, value / now.least if now.least else math.nan)), what]
        for name, value, what in rows(now)
    ]
    compared = "÷ certified" if math.isnan(now.exact) else "÷ exact"
    heads = ["Account", f"ε at δ = {format_input_up(now.delta)}", compared, "What it is worth"]
    return number_format.table_html("ε of this training by each account", "accounts", heads, body)


def _shown(value: float, worth: str) -> str:
    return format_up(value) if worth == "upper bound" else format_nearest(value)


def traps(now: Training) -> str:
    """What makes the ε above untrue: first what is known to apply here, then what only the user knows."""
    listed = [*_uneven(now), *_TRAPS]
    halved = float(composition.dp_sgd_epsilon(now.delta, max(now.noise / 2, 1e-3), now.rate, now.steps, "rdp"))
    listed.append(
        "**Microbatches.** Clip each record’s gradient. If averages of several records are clipped instead, one record"
        f" moves its group’s part by up to twice the norm: the noise counts half, and ε is up to {format_up(halved)}"
        " (by RDP)."
    )
    return "\n".join(("**What would make this ε untrue**", "", *(f"- {each}" for each in listed)))


def _uneven(now: Training) -> list[str]:
    """A batch that does not divide N: the reciprocal of a loader's length is another rate."""
    batches = math.ceil(now.records / now.batch * (1 - 4e-16))
    if batches * now.batch == now.records:
        return []
    return [
        f"**The rate.** q = batch ÷ N = {format_up(now.rate)}. Your batch does not divide N: 1 ÷ len(loader) = 1 ÷"
        f" {format_nearest(batches, 7)} = {format_nearest(1 / batches)} is smaller: an ε for it promises too much where"
        " records are drawn with q. Opacus’ DPDataLoader draws with 1 ÷ len(loader) itself: for it enter the batch"
        f" {format_up(now.records / batches)}."
    ]


_TRAPS = (
    "**The loader.** This ε is for Poisson batches. torch’s DataLoader with shuffle=True does not draw them; Opacus’ "
    "DPDataLoader does. What the others give is the section Batches.",
    "**Normalising.** Divide the sum by the expected batch, a number fixed beforehand. The size of the batch drawn, or "
    "an expected one that follows N when a record is removed, tells something by itself.",
    "**Tuning.** Every run whose result you look at costs too: k equal runs cost at most what k times as many steps "
    "do. To publish only the best run, chosen privately, can cost less (Liu & Talwar 2019; Papernot & Steinke 2022).",
    "**Neighbours.** One record is added or removed. If one is replaced the sum moves by up to twice the norm. The "
    "unit of privacy is the record: a person with several records is protected as a group, which is less.",
)


def map_alternative(result: Ratios) -> str:
    """What the map shows, in a sentence."""
    rdp, clt = (each[np.isfinite(each)] for each in (result.rdp, result.clt))
    return (
        f"On this map RDP asks for {format_nearest(float(rdp.min()), 3)} to {format_nearest(float(rdp.max()), 3)} times"
        " the exact ε, most where rates are small and where noise is little; the CLT gives"
        f" {format_nearest(float(clt.min()), 3)} to {format_nearest(float(clt.max()), 3)} times the exact ε, and"
        " promises too much wherever that is below 1."
    )
