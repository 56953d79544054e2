"""The sentences on DP-SGD: the ε or the solution for a training, what that means, and common mistakes."""

import math

import numpy as np

from dpcore import composition
from pages.composition.dp_sgd.map_results import RatioMap
from pages.composition.dp_sgd.results import MIN_EXACT_NOISE, Training, has_exact_noise, training_at
from pages.composition.release_kinds import MAX_COUNT
from pages.composition.results import CompositionResult
from pages.framework.parameters.number_format import (
    format_down,
    format_input_down,
    format_input_up,
    format_nearest,
    format_up,
)

_MAX_MEANINGFUL_EPSILON = 10.0  # above it the factor e^ε limits almost nothing


def answer_text(result: CompositionResult) -> tuple[str, ...]:
    """Return the sentences on the ε of the training, or on the number that is solved for, and what that means."""
    training = training_at(result)
    sentences = _headline_sentence(training), _meaning_sentence(training)
    if result.pinned is None:
        return sentences
    pinned = training_at(result.pinned)
    changes = [f"ε {format_up(pinned.epsilon)} → {format_up(training.epsilon)}"]
    if training.noise != pinned.noise:
        changes.append(f"noise {format_up(pinned.noise)} → {format_up(training.noise)}")
    if training.steps != pinned.steps:
        changes.append(f"steps {format_nearest(pinned.steps, 7)} → {format_nearest(training.steps, 7)}")
    if training.delta != pinned.delta:
        changes.append(f"δ {format_input_up(pinned.delta)} → {format_input_up(training.delta)}")
    return *sentences, f"Since the pinned setting: {', '.join(changes)}."


def _headline_sentence(training: Training) -> str:
    at = f"δ = {format_input_up(training.delta)}"
    if training.solve == "epsilon":
        rdp = f"; RDP would say {format_up(training.rdp)}" if training.rdp > training.epsilon * (1 + 1e-3) else ""
        return (
            f"Training {_epochs_text(training)} with noise {format_input_down(training.noise)} keeps ε ="
            f" {format_up(training.epsilon)} at {at}{rdp}."
        )
    target = f"ε = {format_input_up(training.target)} at {at}"
    sentence_of = {"noise": _noise_sentence, "steps": _steps_sentence, "rate": _batch_sentence}[training.solve]
    return sentence_of(training, target)


def _epochs_text(training: Training) -> str:
    return f"{format_input_up(training.epochs)} epoch{'' if training.epochs == 1 else 's'}"


def _noise_sentence(training: Training, target: str) -> str:
    if not training.is_solved:
        return f"No noise multiplier up to 1e6 keeps {target} over {_epochs_text(training)}."
    rdp = f"; RDP would ask for {format_up(training.rdp_answer)}" if math.isfinite(training.rdp_answer) else ""
    return f"Noise {format_up(training.noise)} keeps {target} over {_epochs_text(training)}{rdp}."


def _steps_sentence(training: Training, target: str) -> str:
    if not training.is_solved:
        return f"Not even one step with noise {format_input_down(training.noise)} keeps {target}."
    rdp = (
        f"; by RDP {_lasting_text(training.rdp_answer * training.rate)}" if training.rdp_answer < training.steps else ""
    )
    if training.steps == MAX_COUNT:
        limit = f"the search ends at {format_nearest(MAX_COUNT)} steps"
        return (
            f"Noise {format_input_down(training.noise)} stays within {target} for at least"
            f" {_lasting_text(training.epochs)} ({limit}){rdp}."
        )
    guarantee = f"ε = {format_input_up(training.target)}, δ = {format_input_up(training.delta)}"
    return f"Noise {format_input_down(training.noise)} lasts {_lasting_text(training.epochs)} at {guarantee}{rdp}."


def _lasting_text(epochs: float) -> str:
    return f"{format_down(epochs)} epoch{'' if format_down(epochs) == '1' else 's'}" if epochs else "none"


def _batch_sentence(training: Training, target: str) -> str:
    if not training.is_solved:
        return (
            f"No batch with at most 1e6 steps keeps {target} over {_epochs_text(training)} with noise"
            f" {format_input_down(training.noise)}."
        )
    rdp = (
        f"; by RDP {format_nearest(training.rdp_answer, 7) if training.rdp_answer else 'none'}"
        if training.rdp_answer < training.batch
        else ""
    )
    noise = format_input_down(training.noise)
    whole = ", all records at once," if training.batch >= training.records else ""
    return (
        f"A batch of {format_nearest(training.batch, 13)}{whole} keeps {target} over {_epochs_text(training)} with"
        f" noise {noise}{rdp}."
    )


def _meaning_sentence(training: Training) -> str:
    """Return a sentence on what is done and what the guarantee limits."""
    steps = f"{format_nearest(training.steps, 7)} step{'' if training.steps == 1 else 's'}"
    done = (
        f"{steps} on {_batch_text(training)} of {format_nearest(training.records, 13)} records, each drawn by chance"
        " (Poisson)."
    )
    if not training.is_solved:
        batch = format_nearest(training.batch, 13)
        cost = f"costs ε = {format_up(training.epsilon)}"
        return {
            "noise": f"Noise {format_nearest(training.noise)} {cost}. Allow a larger ε or δ, or fewer epochs.",
            "steps": f"One step {cost} by itself. Allow a larger ε or δ, add noise, or take a smaller batch.",
            "rate": f"A batch of {batch} {cost}. Allow a larger ε or δ, add noise, or train less.",
        }[training.solve]
    return f"{done} {limits_sentence(training.epsilon, training.delta)}"


def _batch_text(training: Training) -> str:
    return f"about {format_input_up(training.batch)}"


def limits_sentence(epsilon: float, delta: float) -> str:
    """Return what (ε, δ) limits, in a sentence."""
    if epsilon > _MAX_MEANINGFUL_EPSILON:
        return f"One record may change a probability by a factor e^{format_up(epsilon, 3)}: no limit in practice."
    factor = format_up(math.exp(epsilon), 3)
    return (
        f"One record changes the probability of every set of outcomes by at most a factor {factor}, plus "
        f"{format_input_up(delta)}."
    )


def subtitle(training: Training, view: str) -> str:
    """Return the parameters of a picture."""
    delta, records = f"δ = {format_input_up(training.delta)}", f"N = {format_nearest(training.records, 13)}"
    if view == "batch":
        less = "" if has_exact_noise(training.epochs, training.delta) else " Here by RDP only."
        return (
            f"{_epochs_text(training)}, {records}: every point of a line keeps ε = {_reference_text(training)} at"
            f" {delta}.{less}"
        )
    failed = f" {missing_exact_sentence(training)}" if math.isnan(training.exact) else ""
    return (
        f"{records}, batch {format_input_up(training.batch)}, noise {noise_text(training)}, {delta}. Poisson"
        f" batches.{failed}"
    )


def map_subtitle(training: Training, ratios: RatioMap) -> str:
    """Return the parameters of the map, what its marks mean, and why a part of it is blank."""
    marks = "Red strokes: CLT more than 1 % below exact. Star: yours."
    blank = [f"more than {format_nearest(MAX_COUNT)} steps"] if ratios.is_too_long.any() else []
    blank += ["no exact ε found"] if np.isnan(ratios.exact[:, ~ratios.is_too_long]).any() else []
    why = f" Blank: {' or '.join(blank)}." if blank else ""
    return f"{_epochs_text(training)}, δ = {format_input_up(training.delta)}. Steps = epochs ÷ q. {marks}{why}"


def noise_text(training: Training) -> str:
    """Return the noise as it was entered, or rounded up where it is solved for."""
    return (format_up if training.solve == "noise" else format_input_down)(training.noise)


def _reference_text(training: Training) -> str:
    return format_up(training.epsilon) if training.solve == "epsilon" else format_input_up(training.target)


def alternative_text(training: Training) -> str:
    """Return what the pictures of the training show, in a sentence."""
    unknown = math.isnan(training.exact)
    exact = (
        f"at most {format_up(training.epsilon)} as certified"
        if unknown
        else f"{format_nearest(training.exact)} exactly"
    )
    return (
        f"{_headline_sentence(training)} ε grows with the epochs; at this training it is "
        f"{exact}, {format_up(training.rdp)} by RDP and {format_nearest(training.clt)} by the CLT, which is no bound."
        f"{' ' + missing_exact_sentence(training) if unknown else ''}"
    )


def missing_exact_sentence(training: Training) -> str:
    """Return why there is no exact ε, and what stands in its place."""
    if training.noise < MIN_EXACT_NOISE:
        return "Exact integration takes too long for so little noise; shown is a certified upper bound."
    return "Exact integration failed; shown is a certified upper bound."


def traps_text(training: Training) -> str:
    """Return what would invalidate ε: first what applies to these numbers, then what only the user can know."""
    traps = [*_rate_traps(training), *_TRAPS]
    halved = float(
        composition.dp_sgd_epsilon(training.delta, max(training.noise / 2, 1e-3), training.rate, training.steps, "rdp")
    )
    traps.append(
        "**Microbatches.** Clip each record’s gradient. If averages of several records are clipped instead, one record"
        f" moves its group’s part by up to twice the norm: the noise counts half, and ε is up to {format_up(halved)}"
        " (by RDP)."
    )
    return "\n".join(("**What would make this ε untrue**", "", *(f"- {trap}" for trap in traps)))


def _rate_traps(training: Training) -> list[str]:
    """Return a warning for a batch that does not divide N: 1 ÷ len(loader) is another rate."""
    batches = math.ceil(training.records / training.batch * (1 - 4e-16))
    if batches * training.batch == training.records:
        return []
    return [
        f"**The rate.** q = batch ÷ N = {format_up(training.rate)}. Your batch does not divide N: 1 ÷ len(loader) = 1 ÷"
        f" {format_nearest(batches, 7)} = {format_nearest(1 / batches)} is smaller: an ε for it promises too much where"
        " records are drawn with q. Opacus’ DPDataLoader draws with 1 ÷ len(loader) itself: for it enter the batch"
        f" {format_up(training.records / batches)}."
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


def map_alternative_text(ratios: RatioMap) -> str:
    """Return what the map shows, in a sentence."""
    rdp, clt = (ratio[np.isfinite(ratio)] for ratio in (ratios.rdp, ratios.clt))
    return (
        f"On this map RDP asks for {format_nearest(float(rdp.min()), 3)} to {format_nearest(float(rdp.max()), 3)} times"
        " the exact ε, most where rates are small and where noise is little; the CLT gives"
        f" {format_nearest(float(clt.min()), 3)} to {format_nearest(float(clt.max()), 3)} times the exact ε, and"
        " promises too much wherever that is below 1."
    )
