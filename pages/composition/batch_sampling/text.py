"""The sentences on batches: which ε the user's loader gives, and what to do."""

from pages.composition.batch_sampling.results import Batching, batching_at, unamplified_noise
from pages.composition.dp_sgd.results import Training
from pages.composition.dp_sgd.text import epochs_text, lasting_text, run_text, three_steps
from pages.composition.results import CompositionResult
from pages.framework.parameters.number_format import (
    format_down,
    format_input_down,
    format_input_up,
    format_nearest,
    format_up,
    pin_sentence,
    plural,
)
from pages.shared.releases import MAX_COUNT


def answer_text(result: CompositionResult) -> tuple[str, ...]:
    """Return the sentences on ε with the batches of the loader, and on which loaders draw such batches."""
    batching = batching_at(result)
    sentences = _headline_sentence(batching), _loader_sentence(batching, result.training)
    if result.pinned is None:
        return sentences
    pinned = batching_at(result.pinned)
    return *sentences, pin_sentence(f"ε {_span_text(pinned)} → {_span_text(batching)}")


def _headline_sentence(batching: Batching) -> str:
    if batching.solve != "epsilon":
        return f"{_KINDS[batching.loader]}: {_solution_text(batching)}."
    at, ending = f"at δ = {format_input_up(batching.delta)}", "s" if batching.epochs == 1 else ""
    if batching.loader == "poisson":
        return f"Poisson batches: {run_text(batching)} cost{ending} ε = {format_up(batching.poisson)} {at}."
    cost, at_most = f"{run_text(batching)} cost{ending}", format_up(batching.at_most)
    if batching.loader == "fixed":
        return f"Batches in fixed order: {cost} ε = {at_most} {at}."
    if _bounds_agree(batching):
        return f"Shuffled batches: {cost} ε = {at_most} {at}."
    least = f"at least ε = {format_down(batching.at_least)} and " if batching.at_least > 0 else ""
    return f"Shuffled batches: {cost} {least}at most {'' if least else 'ε = '}{at_most} {at}."


_KINDS = {"poisson": "Poisson batches", "shuffled": "Shuffled batches", "fixed": "Batches in fixed order"}


def _solution_text(batching: Batching) -> str:
    """Return which noise, epochs or batch satisfy the wanted ε with the batches of the loader, or that none does."""
    wanted = f"ε = {format_input_up(batching.target)} at δ = {format_input_up(batching.delta)}"
    noise = f"noise multiplier {format_input_down(batching.noise)}"
    if batching.solve == "noise":
        noise = noise if batching.is_solved else "no noise multiplier up to 1e6"
        return f"{noise} satisfies {wanted} over {epochs_text(batching)}"
    is_poisson = batching.loader == "poisson"
    if batching.solve == "steps":
        if not batching.is_solved:
            least = "a single step" if is_poisson else "one epoch"
            return f"not even {least} with {noise} is sure to satisfy {wanted}"
        at_limit = f" at least (the search ends at {format_nearest(MAX_COUNT)} steps)" * (batching.steps == MAX_COUNT)
        return f"{noise} allows {lasting_text(batching.epochs)}{at_limit} within {wanted}"
    of_any = "batches of any size satisfy" if batching.is_solved else "no batch size is sure to satisfy"
    of_poisson = f"a batch of {format_nearest(batching.batch, 13)} satisfies"
    found = of_poisson if is_poisson and batching.is_solved else of_any
    return f"{found} {wanted} over {run_text(batching)}"


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


def _other_solution(batching: Batching, training: Training) -> str:
    """Return what would be needed where nothing is found for batches in turn, or else what Poisson batches do."""
    if not batching.is_solved and batching.solve != "noise":
        safe = format_up(unamplified_noise(batching.target, batching.delta, batching.uses))
        cost = f"{epochs_text(batching)} cost{'s' if batching.epochs == 1 else ''} at most ε = "
        return f"{cost}{format_up(batching.at_most)}, and noise multiplier {safe} is needed"
    if not training.is_solved:
        return "no Poisson batches do"
    if batching.solve == "noise":
        return f"Poisson batches need {format_up(training.noise)}"
    if batching.solve == "steps":
        return f"Poisson batches allow {lasting_text(training.epochs)}"
    return f"Poisson batches of {format_nearest(training.batch, 13)} do too"


def _loader_sentence(batching: Batching, training: Training) -> str:
    if batching.loader == "poisson":
        return (
            "It holds only if each record joins each batch independently: Opacus’ DPDataLoader does this, torch’s "
            "DataLoader with shuffle=True does not."
        )
    if batching.solve != "epsilon":
        draws = f"torch’s DataLoader with shuffle={batching.loader == 'shuffled'} draws these"
        return f"{draws}: only the noise is sure to protect; {_other_solution(batching, training)}."
    poisson = format_up(batching.poisson)
    if batching.loader == "fixed":
        return (
            "torch’s DataLoader with shuffle=False draws these: without random batches only the noise protects a "
            f"record; Poisson batches give ε = {poisson}."
        )
    shuffled = "torch’s DataLoader with shuffle=True draws these"
    if not batching.complete_epochs or batching.at_least == 0:
        return f"{shuffled}: report the upper bound, as no lower bound above 0 is known here; Poisson gives {poisson}."
    if _bounds_agree(batching):
        return f"{shuffled}, and both bounds agree to four digits; Poisson batches give ε = {poisson}."
    beyond = f"Poisson’s {poisson} is too small" if batching.at_least > batching.poisson else f"Poisson: {poisson}"
    return f"{shuffled}: report the upper bound; {beyond}."


def subtitle(batching: Batching) -> str:
    """Return the parameters of the picture."""
    epochs = epochs_text(batching)
    return (
        f"N = {format_nearest(batching.records, 13)}, batch {format_input_up(batching.batch)}, {epochs}, δ ="
        f" {format_input_up(batching.delta)}. Shaded: ε of shuffled batches."
    )


def alternative_text(batching: Batching) -> str:
    """Return what the picture and the table show, in a sentence."""
    least = f"at least {format_down(batching.at_least)} and " if batching.at_least > 0 else ""
    return (
        f"For {run_text(batching)} at δ = {format_input_up(batching.delta)}, ε is {format_up(batching.poisson)} with"
        f" Poisson batches, {least}at most {format_up(batching.at_most)} with shuffled batches, and"
        f" {format_up(batching.at_most)} in fixed order, which has no amplification."
    )


def batching_steps_text(batching: Batching) -> str:
    """Return what to do in three steps, with the upper bound of ε; nothing where none satisfies the target."""
    if not batching.is_solved:
        return ""
    noise = format_input_down(batching.noise)
    if batching.loader == "poisson":
        return three_steps(batching, noise, format_up(batching.poisson))
    uses = plural(format_nearest(batching.uses), "batch", "batches")
    epsilon = f"{format_up(batching.at_most)} (without amplification)"
    return three_steps(batching, noise, epsilon, f"See that no record is in more than {uses}")


NO_PROGRAM = "A program that trains a linear or logistic model is offered for Poisson batches, which it draws."


def advice_text(batching: Batching, target: float) -> str:
    """Return the noise for the target that needs no Poisson batches, and for which ones there is a program."""
    safe = format_up(unamplified_noise(target, batching.delta, batching.uses))
    program = "" if batching.loader == "poisson" else f" {NO_PROGRAM}"
    return (
        "**With any loader.** Report ε without amplification: "
        f"ε = {format_input_up(target)} then requires noise multiplier {safe}.{program}"
    )


WHY_LOADERS = (
    "Random batches hide who took part in a step (amplification by sampling). The "
    "proof of the Poisson value needs independent draws, so it does not hold for shuffled batches: where the "
    "dotted line lies above it, it is refuted. Audits found shuffled trainings with up to four times the claimed ε "
    "(Annamalai et al., arXiv:2411.10614). Balls-and-bins sampling is about as private as Poisson sampling "
    "(arXiv:2412.16802), but needs its own accountant. Amplification by shuffling is another result: it is for "
    "reports that are randomised on each device and mixed by a trusted shuffler, and not for batches."
)
