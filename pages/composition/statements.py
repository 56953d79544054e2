"""The statements on a trained model: by its noise, and by how its batches are drawn."""

import math
from dataclasses import replace

from pages.composition.batch_sampling.results import Batching, batching_at
from pages.composition.conditions import POISSON, batching_conditions, training_conditions, unit_of
from pages.composition.dp_sgd.results import Training
from pages.composition.dp_sgd.text import noise_text
from pages.composition.results import CompositionResult
from pages.framework.layout.section import Conditions
from pages.framework.layout.statements import Statements
from pages.framework.parameters.number_format import (
    format_input_down,
    format_input_up,
    format_nearest,
    format_up,
    plural,
)
from pages.shared.statements import Release, release_statements

_MOST_EPSILON = 1e6
_ASSUMPTIONS = (
    "the influence of each record is cut to a limit in every step",
    "every training whose results anybody looked at is counted",
)
_POISSON = f"{POISSON}: the records of each step are drawn independently at random"
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
    training = result.training
    if not training.is_solved:
        return None
    is_given = training.solve == "epsilon"
    epsilon = format_up(training.epsilon) if is_given else format_input_up(training.target)
    release = _release(training, training.steps, noise_text(training), (training.epsilon, epsilon), "poisson")
    return _stated(result, release, training_conditions(result))


def batching_statements(result: CompositionResult) -> Statements | None:
    """Return the statements on a training with the batches of its loader, by the upper bound of its ε."""
    batching = batching_at(result)
    epsilon = batching.poisson if batching.loader == "poisson" else batching.at_most
    release = _release(
        batching, batching.steps, format_input_down(batching.noise), (epsilon, format_up(epsilon)), batching.loader
    )
    return _stated(result, release, batching_conditions(result))


def _stated(result: CompositionResult, release: Release | None, conditions: Conditions | None) -> Statements | None:
    """Return the statements on a training for those it protects: people, or records of people who can have several."""
    if release is None:
        return None
    unit = unit_of(result.values)
    caution = "A person with several records is protected less." if unit == "record" else ""
    return release_statements(replace(release, unit=unit, caution=caution), conditions)


def _release(
    training: Training | Batching, steps: int, noise: str, epsilon: tuple[float, str], loader: str
) -> Release | None:
    """Return what is said of a training whose ε is given with its text; None without an ε that says something."""
    if not epsilon[0] <= _MOST_EPSILON or math.isnan(epsilon[0]):
        return None
    is_drawn, rate, batch = loader == "poisson", format_up(training.rate), format_nearest(training.batch, 13)
    uses = f"so that a record is in {format_nearest(math.ceil(training.epochs))} of them at most"
    batches = {
        "poisson": f"Poisson batches with rate q = {rate}",
        "shuffled": f"batches of {batch}, shuffled in each epoch, {uses}",
        "fixed": f"batches of {batch} in a fixed order, {uses}",
    }[loader]
    return Release(
        noise=f"In every step of the training ({plural(format_nearest(steps, 7), 'step')}), the influence of each "
        "record is limited and random noise is added",
        error=("", ""),
        mechanism=f"DP-SGD: {batches}, {format_nearest(steps, 7)} steps, Gaussian noise with σ = zC in each, noise "
        f"multiplier z = {noise}, C the clipping norm of a record’s gradient",
        proof=_CERTIFIED if is_drawn else _UNAMPLIFIED,
        epsilon=epsilon[1],
        delta=format_input_up(training.delta),
        neighbours="add_remove" if is_drawn else "zero_out",
        assumptions=(*_ASSUMPTIONS, *((_POISSON,) if is_drawn and training.rate < 1 else ())),
    )
