"""The words of batching: what the user's loader really gives, and what to do."""

import math

from pages.composition.batch_sampling.results import Batching, batching, noise_needed, unamplified_noise
from pages.composition.dp_sgd.text import limits
from pages.composition.results import CompositionResult
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import (
    format_down,
    format_input_down,
    format_input_up,
    format_nearest,
    format_up,
)


def answer_text(result: CompositionResult) -> tuple[str, ...]:
    """What the training costs with the batches of its loader, and which loaders draw them so."""
    now = batching(result)
    said = _headline(now), _meaning(now)
    if result.pinned is None:
        return said
    before = batching(result.pinned)
    return *said, f"Since the pinned setting: ε {_span(before)} → {_span(now)}."


def _run(now: Batching) -> str:
    epochs = f"{format_input_up(now.epochs)} epoch{'' if now.epochs == 1 else 's'}"
    return f"{epochs} with noise {format_input_down(now.noise)}"


def _headline(now: Batching) -> str:
    at = f"at δ = {format_input_up(now.delta)}"
    if now.loader == "poisson":
        return f"Poisson batches: {_run(now)} keep{_s(now)} ε = {format_up(now.poisson)} {at}."
    rival = f"Poisson batches would keep {format_up(now.poisson)}"
    if now.loader == "fixed":
        return f"A fixed order: {_run(now)} cost{_s(now)} ε = {format_up(now.at_most)} {at}; {rival}."
    if _pinned_down(now):
        return f"Shuffled batches: {_run(now)} cost{_s(now)} ε = {format_up(now.at_most)} {at}; {rival}."
    least = f"at least ε = {format_down(now.at_least)} and " if now.at_least > 0 else ""
    most = f"at most {'' if least else 'ε = '}{format_up(now.at_most)}"
    return f"Shuffled batches: {_run(now)} cost{_s(now)} {least}{most} {at}; {rival}."


def _s(now: Batching) -> str:
    """The end of a verb."""
    return "s" if now.epochs == 1 else ""


def _pinned_down(now: Batching) -> bool:
    """Whether the bounds for shuffled batches agree to four digits."""
    return now.at_least > 0 and format_up(now.at_most) == format_up(now.at_least)


def _span(now: Batching) -> str:
    if now.loader == "poisson":
        return format_up(now.poisson)
    if now.loader == "fixed" or _pinned_down(now):
        return format_up(now.at_most)
    return (
        f"from {format_down(now.at_least)} to {format_up(now.at_most)}"
        if now.at_least > 0
        else f"at most {format_up(now.at_most)}"
    )


def _meaning(now: Batching) -> str:
    if now.loader == "poisson":
        return (
            "Only if each record joins each batch by a coin of its own, as in Opacus’ DPDataLoader; torch’s DataLoader "
            f"with shuffle=True does not. {limits(now.poisson, now.delta)}"
        )
    if now.loader == "fixed":
        return (
            "torch’s DataLoader with shuffle=False does this: who is in which batch is known, so nothing hides a "
            f"record but the noise. {limits(now.at_most, now.delta)}"
        )
    beyond = ", so the Poisson value is not its ε" if now.at_least > now.poisson else ""
    if not now.whole:
        return (
            "torch’s DataLoader with shuffle=True does this. For less than an epoch no lower bound is known here; "
            "promise only the upper one."
        )
    if now.at_least == 0:
        return (
            "torch’s DataLoader with shuffle=True does this; it is not Poisson sampling. No lower bound above 0 is "
            "known here; promise only the upper one."
        )
    if _pinned_down(now):
        return (
            "torch’s DataLoader with shuffle=True does this; the bounds from below and from above agree to four "
            f"digits. {limits(now.at_most, now.delta)}"
        )
    return (
        f"torch’s DataLoader with shuffle=True does this; it is not Poisson sampling{beyond}. The lower value is only "
        "a lower bound: what you may promise is the upper one."
    )


def subtitle(now: Batching) -> str:
    """The parameters of the picture."""
    epochs = f"{format_input_up(now.epochs)} epoch{'' if now.epochs == 1 else 's'}"
    return (
        f"N = {format_nearest(now.records, 13)}, batch {format_input_up(now.batch)}, {epochs}, δ ="
        f" {format_input_up(now.delta)}. Shaded: where shuffled batches lie."
    )


def alternative(now: Batching) -> str:
    """What the picture and the table show, in a sentence."""
    least = f"at least {format_down(now.at_least)} and " if now.at_least > 0 else ""
    return (
        f"For {_run(now)} at δ = {format_input_up(now.delta)}, ε is {format_up(now.poisson)} with Poisson batches,"
        f" {least}at most {format_up(now.at_most)} with shuffled ones, and {format_up(now.at_most)} in a fixed order,"
        " which amplifies nothing."
    )


def rows(now: Batching, target: float) -> list[tuple[str, float, float, float, str]]:
    """For each way to draw batches: ε at least and at most, the noise for a target, and what draws them so."""
    poisson = noise_needed(target, now.delta, now.rate, now.steps)
    safe = unamplified_noise(target, now.delta, now.uses)
    return [
        ("Poisson", now.poisson, now.poisson, poisson, "Opacus DPDataLoader; each record by its own coin"),
        ("Shuffled each epoch", now.at_least, now.at_most, safe, "torch DataLoader(shuffle=True); tf.data at best"),
        ("Fixed order", now.at_most, now.at_most, safe, "torch DataLoader(shuffle=False)"),
    ]


def table_html(now: Batching, target: float) -> str:
    """What each way to draw batches gives, as an accessible table."""
    heads = [
        "Batches",
        f"ε at δ = {format_input_up(now.delta)}",
        f"Noise for ε = {format_input_up(target)}",
        "Drawn so by",
    ]
    body = [
        [name, _between(least, most), format_up(noise) if math.isfinite(noise) else "none up to 1e6", by]
        for name, least, most, noise, by in rows(now, target)
    ]
    return number_format.table_html("What each way to draw batches gives", "loaders", heads, body)


def _between(least: float, most: float) -> str:
    if least == most:
        return format_up(most)
    return f"at least {format_down(least)}, at most {format_up(most)}" if least > 0 else f"at most {format_up(most)}"


def advice(now: Batching, target: float) -> str:
    """What to do."""
    safe = format_up(unamplified_noise(target, now.delta, now.uses))
    return (
        "**What to do.** Draw Poisson batches and account for them; or keep your loader and promise the ε without "
        f"amplification, which for ε = {format_input_up(target)} takes noise {safe}. The Poisson value is no bound for "
        "shuffled batches: where the dotted line is above it, it is disproved, and audits have found shuffled "
        "trainings at up to four times the ε that was claimed (Annamalai et al., arXiv:2411.10614). Balls-and-bins "
        "sampling is about as private as Poisson (arXiv:2412.16802), but needs an accountant of its own."
    )
