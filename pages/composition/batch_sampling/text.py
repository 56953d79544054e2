"""The sentences on batches: which ε the user's loader gives, and what to do."""

from pages.composition.batch_sampling.results import Batching, batching_at, unamplified_noise
from pages.composition.dp_sgd.text import limits_sentence
from pages.composition.results import CompositionResult
from pages.framework.parameters.number_format import (
    format_down,
    format_input_down,
    format_input_up,
    format_nearest,
    format_up,
)


def answer_text(result: CompositionResult) -> tuple[str, ...]:
    """Return the sentences on ε with the batches of the loader, and on which loaders draw such batches."""
    batching = batching_at(result)
    sentences = _headline_sentence(batching), _loader_sentence(batching)
    if result.pinned is None:
        return sentences
    pinned = batching_at(result.pinned)
    return *sentences, f"Since the pinned setting: ε {_span_text(pinned)} → {_span_text(batching)}."


def _run_text(batching: Batching) -> str:
    epochs = f"{format_input_up(batching.epochs)} epoch{'' if batching.epochs == 1 else 's'}"
    return f"{epochs} with noise {format_input_down(batching.noise)}"


def _headline_sentence(batching: Batching) -> str:
    at, ending = f"at δ = {format_input_up(batching.delta)}", "s" if batching.epochs == 1 else ""
    if batching.loader == "poisson":
        return f"Poisson batches: {_run_text(batching)} keep{ending} ε = {format_up(batching.poisson)} {at}."
    cost, at_most = f"{_run_text(batching)} cost{ending}", format_up(batching.at_most)
    rival = f"Poisson batches would keep {format_up(batching.poisson)}"
    if batching.loader == "fixed":
        return f"A fixed order: {cost} ε = {at_most} {at}; {rival}."
    if _bounds_agree(batching):
        return f"Shuffled batches: {cost} ε = {at_most} {at}; {rival}."
    least = f"at least ε = {format_down(batching.at_least)} and " if batching.at_least > 0 else ""
    return f"Shuffled batches: {cost} {least}at most {'' if least else 'ε = '}{at_most} {at}; {rival}."


def _bounds_agree(batching: Batching) -> bool:
    """Return whether the bounds for shuffled batches agree to four digits."""
    return batching.at_least > 0 and format_up(batching.at_most) == format_up(batching.at_least)


def _span_text(batching: Batching) -> str:
    if batching.loader == "poisson":
        return format_up(batching.poisson)
    if batching.loader == "fixed" or _bounds_agree(batching):
        return format_up(batching.at_most)
    at_most = format_up(batching.at_most)
    return f"from {format_down(batching.at_least)} to {at_most}" if batching.at_least > 0 else f"at most {at_most}"


def _loader_sentence(batching: Batching) -> str:
    if batching.loader == "poisson":
        return (
            "Only if each record joins each batch by a coin of its own, as in Opacus’ DPDataLoader; torch’s DataLoader "
            f"with shuffle=True does not. {limits_sentence(batching.poisson, batching.delta)}"
        )
    if batching.loader == "fixed":
        return (
            "torch’s DataLoader with shuffle=False does this: who is in which batch is known, so nothing hides a "
            f"record but the noise. {limits_sentence(batching.at_most, batching.delta)}"
        )
    beyond = ", so the Poisson value is not its ε" if batching.at_least > batching.poisson else ""
    if not batching.complete_epochs:
        return (
            "torch’s DataLoader with shuffle=True does this. For less than an epoch no lower bound is known here; "
            "promise only the upper one."
        )
    if batching.at_least == 0:
        return (
            "torch’s DataLoader with shuffle=True does this; it is not Poisson sampling. No lower bound above 0 is "
            "known here; promise only the upper one."
        )
    if _bounds_agree(batching):
        return (
            "torch’s DataLoader with shuffle=True does this; the bounds from below and from above agree to four "
            f"digits. {limits_sentence(batching.at_most, batching.delta)}"
        )
    return (
        f"torch’s DataLoader with shuffle=True does this; it is not Poisson sampling{beyond}. The lower value is only "
        "a lower bound: what you may promise is the upper one."
    )


def subtitle(batching: Batching) -> str:
    """Return the parameters of the picture."""
    epochs = f"{format_input_up(batching.epochs)} epoch{'' if batching.epochs == 1 else 's'}"
    return (
        f"N = {format_nearest(batching.records, 13)}, batch {format_input_up(batching.batch)}, {epochs}, δ ="
        f" {format_input_up(batching.delta)}. Shaded: where shuffled batches lie."
    )


def alternative_text(batching: Batching) -> str:
    """Return what the picture and the table show, in a sentence."""
    least = f"at least {format_down(batching.at_least)} and " if batching.at_least > 0 else ""
    return (
        f"For {_run_text(batching)} at δ = {format_input_up(batching.delta)}, ε is {format_up(batching.poisson)} with"
        f" Poisson batches, {least}at most {format_up(batching.at_most)} with shuffled ones, and"
        f" {format_up(batching.at_most)} in a fixed order, which amplifies nothing."
    )


def advice_text(batching: Batching, target: float) -> str:
    """Return what to do."""
    safe = format_up(unamplified_noise(target, batching.delta, batching.uses))
    return (
        "**What to do.** Draw Poisson batches and account for them; or keep your loader and promise the ε without "
        f"amplification, which for ε = {format_input_up(target)} takes noise {safe}. The Poisson value is no bound for "
        "shuffled batches: where the dotted line is above it, it is disproved, and audits have found shuffled "
        "trainings at up to four times the ε that was claimed (Annamalai et al., arXiv:2411.10614). Balls-and-bins "
        "sampling is about as private as Poisson (arXiv:2412.16802), but needs an accountant of its own."
    )
