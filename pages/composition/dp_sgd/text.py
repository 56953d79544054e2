"""The sentences on DP-SGD: the ε or the solution for a training, what that means, common mistakes, and statements."""

import math
from dataclasses import replace

import numpy as np

from dpcore import composition
from dpcore.rounding import round_up
from pages.composition.batch_sampling.results import Batching, batching_at
from pages.composition.dp_sgd.results import (
    MIN_EXACT_NOISE,
    RatioMap,
    Training,
    TrainingNumbers,
    epsilon_of_training,
    has_exact_noise,
)
from pages.composition.parameters import POISSON, batches_link, batching_conditions, training_conditions, unit_of
from pages.composition.results import CompositionResult
from pages.framework.layout.offers import Downloads, Statements
from pages.framework.layout.section import Conditions
from pages.framework.parameters.number_format import (
    format_down,
    format_input_down,
    format_input_up,
    format_nearest,
    format_up,
    pin_sentence,
    plural,
)
from pages.shared import statements
from pages.shared.formulas import LARGE_EPSILON
from pages.shared.release_program.code_files import TRAINING, program_downloads
from pages.shared.releases import MAX_COUNT
from pages.shared.statements import Release, release_statements


def answer_text(result: CompositionResult) -> tuple[str, ...]:
    """Return the sentences on the ε of the training, or on the number that is solved for, and what that means."""
    training = result.training
    sentences = _headline_sentence(training), _meaning_sentence(training)
    if result.pinned is None:
        return sentences
    pinned = result.pinned.training
    changes = [f"ε {format_up(pinned.epsilon)} → {format_up(training.epsilon)}"]
    if training.noise != pinned.noise:
        changes.append(f"noise {format_up(pinned.noise)} → {format_up(training.noise)}")
    if training.steps != pinned.steps:
        changes.append(f"steps {format_nearest(pinned.steps, 7)} → {format_nearest(training.steps, 7)}")
    if training.delta != pinned.delta:
        changes.append(f"δ {format_input_up(pinned.delta)} → {format_input_up(training.delta)}")
    return *sentences, pin_sentence(", ".join(changes))


def _headline_sentence(training: Training) -> str:
    at = f"δ = {format_input_up(training.delta)}"
    if training.solve == "epsilon":
        rdp = f"; RDP gives {format_up(training.rdp)}" if training.rdp > training.epsilon * (1 + 1e-3) else ""
        cost = f"cost{'s' if training.epochs == 1 else ''} ε = {format_up(training.epsilon)}"
        return f"{run_text(training)} {cost} at {at}{rdp}."
    target = f"ε = {format_input_up(training.target)} at {at}"
    sentence_of = {"noise": _noise_sentence, "steps": _steps_sentence, "rate": _batch_sentence}[training.solve]
    return sentence_of(training, target)


def epochs_text(training: TrainingNumbers) -> str:
    """Return the number of epochs with its noun."""
    return plural(format_input_up(training.epochs), "epoch")


def length_text(training: TrainingNumbers, *, is_poisson: bool) -> str:
    """Return how long a training lasts: in steps with Poisson batches, which are counted so, and in epochs with others.

    Where records are used in turn, the guarantee depends on the epochs alone; the steps of an epoch depend on whether
    the loader leaves out its last, smaller batch.
    """
    return plural(format_nearest(training.steps, 13), "step") if is_poisson else epochs_text(training)


def run_text(training: TrainingNumbers) -> str:
    """Return the epochs and the entered noise of a training."""
    return f"{epochs_text(training)} with noise multiplier {format_input_down(training.noise)}"


def _noise_sentence(training: Training, target: str) -> str:
    if not training.is_solved:
        return f"No noise multiplier up to 1e6 satisfies {target} over {epochs_text(training)}."
    rdp = f"; by RDP {format_up(training.rdp_answer)}" if math.isfinite(training.rdp_answer) else ""
    return f"Noise multiplier {format_up(training.noise)} satisfies {target} over {epochs_text(training)}{rdp}."


def _steps_sentence(training: Training, target: str) -> str:
    if not training.is_solved:
        return f"Even a single step with noise multiplier {format_input_down(training.noise)} exceeds {target}."
    rdp = (
        f"; by RDP {lasting_text(training.rdp_answer * training.rate)}" if training.rdp_answer < training.steps else ""
    )
    noise = f"Noise multiplier {format_input_down(training.noise)}"
    if training.steps == MAX_COUNT:
        limit = f"the search ends at {format_nearest(MAX_COUNT)} steps"
        return f"{noise} stays within {target} for at least {lasting_text(training.epochs)} ({limit}){rdp}."
    steps = plural(format_nearest(training.steps, 7), "step")
    return f"{noise} allows {lasting_text(training.epochs)} ({steps}) within {target}{rdp}."


def lasting_text(epochs: float) -> str:
    """Return a largest number of epochs, rounded down, with its noun."""
    return plural(format_down(epochs), "epoch") if epochs else "none"


def _batch_sentence(training: Training, target: str) -> str:
    if not training.is_solved:
        return f"No batch with at most 1e6 steps satisfies {target} over {run_text(training)}."
    of_rdp = format_nearest(training.rdp_answer, 7) if training.rdp_answer else "none"
    rdp = f"; by RDP {of_rdp}" if training.rdp_answer < training.batch else ""
    whole = " (all records)" if training.batch >= training.records else ""
    return f"A batch of {format_nearest(training.batch, 13)}{whole} satisfies {target} over {run_text(training)}{rdp}."


def _meaning_sentence(training: Training) -> str:
    """Return a sentence on what the guarantee limits, or on what would make a solution possible."""
    if not training.is_solved:
        batch = format_nearest(training.batch, 13)
        cost = f"costs ε = {format_up(training.epsilon)}"
        return {
            "noise": f"Noise multiplier {format_nearest(training.noise)} {cost}: choose a larger ε or δ, or fewer "
            "epochs.",
            "steps": f"One step {cost}: choose a larger ε or δ, more noise, or a smaller batch.",
            "rate": f"A batch of {batch} {cost}: choose a larger ε or δ, more noise, or fewer epochs.",
        }[training.solve]
    return limits_sentence(training.epsilon, training.delta)


def limits_sentence(epsilon: float, delta: float) -> str:
    """Return what the (ε, δ) of a training with Poisson batches limits, in a sentence."""
    if epsilon > LARGE_EPSILON:
        factor = f"a factor e^{format_up(epsilon, 3)}: no protection in practice"
        return f"With Poisson batches, one record can change a probability by {factor}."
    factor = f"the factor {format_up(math.exp(epsilon), 3)}, plus {format_input_up(delta)}"
    return f"With Poisson batches, one record changes the probability of every set of outcomes by at most {factor}."


def subtitle(training: Training, view: str) -> str:
    """Return the parameters of a picture."""
    delta, records = f"δ = {format_input_up(training.delta)}", f"N = {format_nearest(training.records, 13)}"
    if view == "batch":
        less = "" if has_exact_noise(training.epochs, training.delta) else " Only RDP is available here."
        return (
            f"{epochs_text(training)}, {records}. Every point gives ε = {_reference_text(training)} at {delta}.{less}"
        )
    failed = f" {missing_exact_sentence(training)}" if math.isnan(training.exact) else ""
    return (
        f"{records}, batch {format_input_up(training.batch)}, noise multiplier {noise_text(training)},"
        f" {plural(format_nearest(training.steps, 7), 'step')}, {delta}. Poisson batches.{failed}"
    )


def map_subtitle(training: Training, ratios: RatioMap) -> str:
    """Return the parameters of the map, what its marks mean, and why a part of it is blank."""
    marks = "Red strokes: the CLT is too small, by about 1 % or more. Star: this training."
    blank = [f"more than {format_nearest(MAX_COUNT)} steps"] if ratios.is_too_long.any() else []
    blank += [IMPRECISE] if np.isnan(ratios.exact[:, ~ratios.is_too_long]).any() else []
    why = f" Blank: {' or '.join(blank)}." if blank else ""
    return f"{epochs_text(training)}, δ = {format_input_up(training.delta)}. Steps = epochs ÷ q. {marks}{why}"


def noise_text(training: Training) -> str:
    """Return the noise as it was entered, or rounded up where it is solved for."""
    return (format_up if training.solve == "noise" else format_input_down)(training.noise)


def _reference_text(training: Training) -> str:
    return format_up(training.epsilon) if training.solve == "epsilon" else format_input_up(training.target)


def alternative_text(training: Training) -> str:
    """Return what the pictures of the training show, in a sentence."""
    exact, missing = f"{format_nearest(training.exact)} exactly", ""
    if math.isnan(training.exact):
        exact, missing = f"at most {format_up(training.epsilon)} as certified", f" {missing_exact_sentence(training)}"
    poisson = f", if {POISSON}." if training.is_solved and training.rate < 1 else "."
    return (
        f"{_headline_sentence(training).removesuffix('.')}{poisson} ε grows with the epochs. For this training it is "
        f"{exact}, {format_up(training.rdp)} by RDP and {format_nearest(training.clt)} by the CLT, which is not a "
        f"bound.{missing}"
    )


IMPRECISE = "the exact integral is not precise enough"


def missing_exact_sentence(training: Training) -> str:
    """Return why there is no exact ε, and what is shown instead."""
    if training.noise < MIN_EXACT_NOISE:
        return "A certified upper bound is shown: for so little noise the exact integral takes too long."
    return f"A certified upper bound is shown: {IMPRECISE} here."


def steps_text(training: Training) -> str:
    """Return what to do in three steps; nothing where no training satisfies the target."""
    return three_steps(training, noise_text(training), format_up(training.epsilon)) if training.is_solved else ""


def three_steps(training: TrainingNumbers, noise: str, epsilon: str, draw: str = "") -> str:
    """Return what to do with this noise and ε in three steps: `draw` batches, Poisson ones if nothing is said."""
    length = length_text(training, is_poisson=not draw)
    rate = f"{format_nearest(training.batch, 13)} ÷ {format_nearest(training.records, 13)}"
    poisson = f"Draw each batch so that every record joins it with probability {rate}, apart from the others"
    draw = draw or f"{poisson} (a Poisson batch)"
    return statements.steps_text(
        f"{draw}, and clip the gradient of each record.",
        f"**Add Gaussian noise with σ = {noise} × the clipping norm** to the sum of each step, and stop after "
        f"{length}.",
        f"Publish the model with ε = {epsilon}, δ = {format_input_up(training.delta)}, the unit of privacy and the "
        "conditions.",
    )


def batches_text(result: CompositionResult) -> str:
    """Return the link to the same training with other batches, under the same conditions."""
    link = batches_link(result, "How batches are drawn")
    return f"**Other batches**, such as those of torch’s DataLoader: {link} has this training with them."


def traps_text(training: Training) -> str:
    """Return what would invalidate ε: first what applies to these numbers, then what only the user can know."""
    traps = [*_rate_traps(training), *_TRAPS]
    halved = float(
        composition.dp_sgd_epsilon(training.delta, max(training.noise / 2, 1e-3), training.rate, training.steps, "rdp")
    )
    traps.append(
        "**Microbatches.** Clip the gradient of each record. If averages over several records are clipped instead, one"
        f" record changes its group’s part by up to twice the norm: the effective noise multiplier is half, and ε is "
        f"up to {format_up(halved)} (by RDP)."
    )
    return "\n".join(f"- {trap}" for trap in traps)


def _rate_traps(training: Training) -> list[str]:
    """Return a warning for a batch that does not divide N: 1 ÷ len(loader) is another rate."""
    batches = int(composition.steps_of_epochs(1, training.records, training.batch))
    if batches * training.batch == training.records:
        return []
    return [
        f"**The rate.** The sampling rate is q = batch ÷ N = {format_up(training.rate)}. Your batch does not divide "
        "N, so"
        f" 1 ÷ len(loader) = 1 ÷ {format_nearest(batches, 7)} = {format_nearest(1 / batches)} is smaller; an ε computed"
        " for it is too small if records are drawn with q. Opacus’ DPDataLoader draws with 1 ÷ len(loader): for it,"
        f" enter the batch {format_up(training.records / batches)}."
    ]


_TRAPS = (
    "**The loader.** This ε holds for Poisson batches. Opacus’ DPDataLoader draws them; torch’s DataLoader with "
    "shuffle=True does not. “How batches are drawn” has the ε of other loaders.",
    "**Normalising.** Divide the sum by the expected batch size, a number fixed in advance. The size of the batch that "
    "was drawn reveals something about the data, and so does an expected size that follows N.",
    "**Gradient accumulation.** If gradients are summed over several passes before one optimiser step, the batch is "
    "the effective one, of all these passes together: enter it, and count one step for each optimiser step. "
    "Noise is added once for each step, to the sum over all its passes. They must share one Poisson draw: where each "
    "pass draws its own, a record can be in several, and change the sum by more than the norm.",
    "**Tuning.** Every run whose result you look at costs privacy: ten equal runs cost at most as much as ten "
    "times the steps. Publishing only the best run, chosen privately, can cost less (private selection: Liu & Talwar "
    "2019; Papernot & Steinke 2022).",
    "**Neighbours.** One record is added or removed. If one record is replaced, the sum changes by up to twice the "
    "norm. "
    "The unit of privacy is the record: a person with several records is protected less. To protect people, limit the "
    "records of each person (contribution bounding) and clip each person’s gradient.",
    "**Sampler.** The proof assumes exact Gaussian noise. Floating-point samplers leave patterns in the last digits of "
    "each number, which can reveal the data if the noisy gradients themselves are published (Mironov 2012).",
)


def map_alternative_text(ratios: RatioMap) -> str:
    """Return what the map shows, in a sentence."""
    rdp, clt = (ratio[np.isfinite(ratio)] for ratio in (ratios.rdp, ratios.clt))
    return (
        f"On this map RDP gives {format_nearest(float(rdp.min()), 3)} to {format_nearest(float(rdp.max()), 3)} times"
        " the exact ε, most where the sampling rate or the noise is small. The CLT gives"
        f" {format_nearest(float(clt.min()), 3)} to {format_nearest(float(clt.max()), 3)} times the exact ε, and is too"
        " small wherever this is below 1."
    )


_MOST_EPSILON = 1e6
_CERTIFIED = (
    "certified: the privacy losses of a step on a grid that only increases δ (Doroshenko, Ghazi, Kamath, Kumar & "
    "Manurangsi 2022), composed by FFT, or RDP (Mironov, Talwar & Zhang 2019) where that is smaller"
)
_UNAMPLIFIED = (
    "no amplification: a record is in so many batches at most, together one Gaussian release (Balle & Wang 2018, "
    "Theorem 8)"
)


def training_statements(result: CompositionResult) -> Statements | None:
    """Return the statements on a training with Poisson batches; None where no number solves for its target."""
    return _stated(result, _training_release(result), training_conditions(result), result.training)


def has_training_statements(result: CompositionResult) -> bool:
    """Return whether there are any, without the time that the largest share of right guesses takes."""
    return _training_release(result) is not None


def _training_release(result: CompositionResult) -> Release | None:
    training = result.training
    if not training.is_solved:
        return None
    epsilon = _reference_text(training)
    return _release(training, noise_text(training), (training.epsilon, epsilon), "poisson")


def batching_statements(result: CompositionResult) -> Statements | None:
    """Return the statements on a training with the batches of its loader, by the upper bound of its ε."""
    return _stated(result, _batching_release(result), batching_conditions(result), batching_at(result))


def has_batching_statements(result: CompositionResult) -> bool:
    """Return whether there are any: not where no number satisfies the target."""
    return _batching_release(result) is not None


def _batching_release(result: CompositionResult) -> Release | None:
    batching = batching_at(result)
    if not batching.is_solved:
        return None
    epsilon = batching.reported
    return _release(batching, format_input_down(batching.noise), (epsilon, format_up(epsilon)), batching.loader)


def _best_guess(training: Training | Batching) -> float:
    """Return the largest share of right guesses at even odds, (1 + δ) ÷ 2 with the δ at ε = 0, rounded up."""
    if isinstance(training, Batching) and training.loader != "poisson":
        delta = composition.unamplified_delta(0.0, training.noise, training.uses)
    else:
        delta = composition.certified_delta((training.release,), 0.0).value
    return min(float(round_up((1 + delta) / 2)), 1.0)


def _stated(
    result: CompositionResult, release: Release | None, conditions: Conditions | None, training: Training | Batching
) -> Statements | None:
    """Return the statements on a training for those it protects: people, or records of people who can have several."""
    if release is None:
        return None
    release = replace(release, success=_best_guess(training))
    unit = unit_of(result.values)
    caution = "A person with several records is protected less." if unit == "record" else ""
    return release_statements(replace(release, unit=unit, caution=caution), conditions)


def _release(training: TrainingNumbers, noise: str, epsilon: tuple[float, str], loader: str) -> Release | None:
    """Return what is said of a training whose ε is given with its text; None without an ε that says something."""
    if not epsilon[0] <= _MOST_EPSILON:  # nor where it is NaN
        return None
    is_drawn, rate, batch = loader == "poisson", format_up(training.rate), format_nearest(training.batch, 13)
    length = length_text(training, is_poisson=is_drawn)
    uses = f"so that a record is in {format_nearest(math.ceil(training.epochs))} of them at most"
    batches = {
        "poisson": f"Poisson batches with rate q = {rate}",
        "shuffled": f"batches of {batch}, shuffled in each epoch, {uses}",
        "fixed": f"batches of {batch} in a fixed order, {uses}",
    }[loader]
    return Release(
        noise=f"In every step of the training ({length}), the influence of each "
        "record is limited and random noise is added",
        error=("", ""),
        mechanism=f"DP-SGD: {batches}, {length}, Gaussian noise with σ = zC in each, noise "
        f"multiplier z = {noise}, C the clipping norm of a record’s gradient",
        proof=_CERTIFIED if is_drawn else _UNAMPLIFIED,
        epsilon=epsilon[1],
        delta=format_input_up(training.delta),
        neighbours="add_remove" if is_drawn else "zero_out",
    )


def training_downloads(result: CompositionResult) -> Downloads | None:
    """Return the program of a training with Poisson batches; None where nothing is stated of it."""
    return _program(result, result.training, _training_release(result))


def batching_downloads(result: CompositionResult) -> Downloads | None:
    """Return the same for the batches of a loader; None where these are not Poisson, as the program’s are."""
    batching = batching_at(result)
    release = _batching_release(result) if batching.loader == "poisson" else None
    return _program(result, batching, release)


def _program(result: CompositionResult, training: Training | Batching, release: Release | None) -> Downloads | None:
    """Return the program of a training, which cuts each record's influence and draws Poisson batches itself."""
    conditions = training_conditions(result, is_program=True)
    if release is None:
        return None
    facts = {
        "name": "Model",
        "records": training.records,
        "batch": training.batch,
        "rate": training.rate,
        "steps": training.steps,
        "noise_multiplier": training.noise,
        "epsilon": epsilon_of_training(training.release, training.delta),
        "delta": training.delta,
        "accountant": _CERTIFIED,
        "neighbours": "add_remove",
        "unit": unit_of(result.values),
        "assumptions": (),
    }
    return program_downloads(TRAINING, facts, conditions, lambda: _stated(result, release, conditions, training))
