"""The ε of a training, or the number that is solved for, in lines of code."""

import math

from pages.composition import other_libraries
from pages.composition.batch_sampling.results import Batching
from pages.composition.dp_sgd.results import Training
from pages.composition.results import CompositionResult
from pages.framework.layout.code_panel import number, program
from pages.framework.layout.section import Snippet
from pages.shared.libraries import DPCORE

EXCESS = 1e-4  # the largest excess of a certified ε


def snippets(result: CompositionResult) -> tuple[Snippet, ...]:
    """Return the certified ε of the training, or the number that is solved for; nothing where there is none."""
    training = result.training
    if not training.is_solved or math.isinf(training.epsilon):
        return ()
    if training.solve == "epsilon":
        return poisson_snippets(training, training.epsilon)
    return _inverse_snippet(training), *other_libraries.training_snippets(
        training.noise, training.rate, training.steps, training.delta, training.epsilon
    )


def poisson_snippets(training: Training | Batching, epsilon: float) -> tuple[Snippet, ...]:
    """Return ε of DP-SGD with Poisson batches; nothing where it has none."""
    if math.isinf(epsilon):
        return ()
    code = program(
        "from dpcore import composition",
        "",
        f"delta, noise, epochs = {number(training.delta)}, {number(training.noise)}, {number(training.epochs)}",
        f"records, batch = {number(training.records)}, {number(training.batch)}",
        "steps = composition.steps_of_epochs(epochs, records, batch)",
        "releases = [composition.sampled_release(noise, batch / records, int(steps))]",
        f"certified = composition.certified_epsilon(releases, delta, {EXCESS}).value",
        "print(min(certified, composition.rdp_epsilon(releases, delta).value))",
    )
    snippet = Snippet(DPCORE, code, "Certified ε, for Poisson batches and add/remove-one neighbours.", (epsilon,))
    return snippet, *other_libraries.training_snippets(
        training.noise, training.rate, training.steps, training.delta, epsilon
    )


def _inverse_snippet(training: Training) -> Snippet:
    """Return the number that is solved for, with dpcore."""
    target = f"{number(training.target)}, {number(training.delta)}"
    rate = f"{number(training.batch)} / {number(training.records)}"
    line, value, what = {
        "noise": (
            f"dp_sgd_noise_multiplier({target}, {rate}, {training.steps})",
            training.noise,
            "The noise multiplier",
        ),
        "steps": (
            f"dp_sgd_steps({target}, {number(training.noise)}, {rate})",
            training.steps,
            "The largest number of steps",
        ),
        "rate": (
            f"dp_sgd_batch({target}, {number(training.noise)}, {number(training.epochs)}, {number(training.records)})",
            training.batch,
            "The largest expected batch size",
        ),
    }[training.solve]
    code = program("from dpcore import composition", "", f"print(composition.{line})")
    return Snippet(DPCORE, code, f"{what}, certified.", (float(value),))
