"""Why the classical bound fails: the page of Gaussian bounds at δ = 1e-5 and sensitivity 1."""

from collections.abc import Callable

from dpcore import comparison, gaussian
from pages.framework.parameters.number_format import format_down, format_input_up, format_nearest, format_up, percent_up
from pages.framework.site import Demonstration, Quiz, QuizChoice, Step
from pages.shared.error_text import variance_comparison
from pages.shared.site_map import GAUSSIAN_BOUNDS

_DELTA = 1e-5
_EPSILON_BEYOND = "8.42"  # the first ε of three digits at which the classical σ fails


def _classical_sigma(epsilon: float) -> float:
    return float(gaussian.classical_sigma(epsilon, _DELTA))


def _required_sigma(epsilon: float) -> float:
    return float(gaussian.analytic_sigma(epsilon, _DELTA))


def _true_delta(epsilon: float) -> float:
    """Return the true δ of the classical σ."""
    return float(gaussian.delta_from_sigma(epsilon, _classical_sigma(epsilon)))


def _proved_sentence() -> str:
    more = variance_comparison((_classical_sigma(0.5) / _required_sigma(0.5)) ** 2)
    return (
        "At ε = 0.5 the classical formula, σ = √(2 ln(1.25/δ)) · Δ₂/ε, gives σ ="
        f" {format_up(_classical_sigma(0.5))}. It satisfies the guarantee, but it would {more} than the required σ ="
        f" {format_up(_required_sigma(0.5))}."
    )


def _beyond_quiz() -> Quiz:
    choices = (
        QuizChoice("Yes, the true δ is at most 1e-5", high=_DELTA),
        QuizChoice("No, the true δ is larger", low=_DELTA),
    )
    return Quiz("Its proof ends at ε = 1. At ε = 3, is its σ still enough?", _true_delta(3), choices)


def _unproved_sentence() -> str:
    return (
        f"At ε = 3 its proof does not apply, but its σ = {format_up(_classical_sigma(3))} is still enough: its true δ "
        f"is {format_up(_true_delta(3))}, and its curve passes below the target."
    )


def _failure_quiz() -> Quiz:
    choices = (
        QuizChoice("At most 1e-5", high=_DELTA),
        QuizChoice("More, up to twice 1e-5", _DELTA, 2 * _DELTA),
        QuizChoice("More than twice 1e-5", 2 * _DELTA),
    )
    return Quiz("At ε = 10, what is the true δ of its σ?", _true_delta(10), choices)


def _failure_sentence() -> str:
    return (
        f"Too little noise: σ = {format_up(_classical_sigma(10))} gives δ = {format_up(_true_delta(10))},"
        f" {format_nearest(_true_delta(10) / _DELTA, 2)} times the target. Its curve, now red, passes above the target."
    )


def _limit_quiz() -> Quiz:
    choices = (
        QuizChoice("At an ε below 2", high=2),
        QuizChoice("Between 2 and 6", 2, 6),
        QuizChoice("Between 6 and 10", 6, 10),
    )
    return Quiz("From which ε on does it fail, at this δ?", comparison.classical_limit(_DELTA), choices)


def _limit_sentence() -> str:
    limit = format_down(comparison.classical_limit(_DELTA))
    return (
        f"At δ = 1e-5 its σ is enough up to ε = {limit}, where its curve falls below 1, the required noise, and the red"
        f" crosses begin. At the marked ε = {_EPSILON_BEYOND} it is not: its true δ is"
        f" {format_up(_true_delta(float(_EPSILON_BEYOND)))}."
    )


def _asymptotics_quiz() -> Quiz:
    choices = (
        QuizChoice("To about a fiftieth", 0.015, 0.03),
        QuizChoice("To about a tenth as well", 0.08, 0.12),
        QuizChoice("Only to about a fifth", 0.17, 0.23),
    )
    question = "Why? From ε = 10 to ε = 100 its σ falls to a tenth. To what does the required σ fall?"
    return Quiz(question, _required_sigma(100) / _required_sigma(10), choices)


def _asymptotics_sentence() -> str:
    return (
        f"To {percent_up(_required_sigma(100) / _required_sigma(10))}: at ε = 100 it is"
        f" {format_up(_required_sigma(100))}, while the classical σ falls to {format_up(_classical_sigma(100))}. The"
        " required σ is never below Δ₂/√(2ε) here (Balle & Wang 2018, Theorem 4), so that no formula c/ε is enough at"
        " every ε."
    )


def _analytic_quiz() -> Quiz:
    sigmas = _classical_sigma(10), _required_sigma(10), _classical_sigma(1)
    choices = tuple(QuizChoice(f"σ = {format_up(sigma)}", sigma * (1 - 1e-6), sigma * (1 + 1e-6)) for sigma in sigmas)
    return Quiz("Which is the least σ with δ = 1e-5 at ε = 10?", _required_sigma(10), choices)


def _analytic_sentence() -> str:
    sigma = _required_sigma(10)
    return (
        f"σ = {format_up(sigma)}, of the analytic Gaussian: its true δ at ε = 10 is"
        f" {format_up(float(gaussian.delta_from_sigma(10, sigma)))}. It holds at every ε, so there is no limit to"
        " remember."
    )


def _step(
    epsilon: str,
    sentence: Callable[[], str],
    quiz: Callable[[], Quiz] | None = None,
    start: str = "",
    **entries: str,
) -> Step:
    """Return a step, to which ε can move from its start."""
    setting = {"epsilon": epsilon, "delta": format_input_up(_DELTA)} | entries
    return Step(GAUSSIAN_BOUNDS, setting, sentence, quiz, ("epsilon", start) if start else ())


CLASSICAL_GAUSSIAN = Demonstration(
    "classical",
    "Why the classical bound fails",
    "The textbook formula for Gaussian noise: where its proof holds, beyond it, and where it violates the guarantee.",
    (
        _step("0.5", _proved_sentence, _beyond_quiz, section="profile"),
        _step("3", _unproved_sentence, _failure_quiz, start="0.5", section="profile"),
        _step("10", _failure_sentence, _limit_quiz, section="profile"),
        _step(_EPSILON_BEYOND, _limit_sentence, _asymptotics_quiz, start="1"),
        _step("100", _asymptotics_sentence, _analytic_quiz, view="epsilon"),
        _step("10", _analytic_sentence),
    ),
)
