"""What ε = 1 allows an attacker: trade-off curves, and 100 people, at δ = 1e-6 and a false positive rate of 5 %."""

from dpcore import audit, gaussian, tradeoff
from pages.framework.parameters.number_format import FEW_DIGITS, format_down, format_input_up, format_up, percent_up
from pages.framework.site import Demonstration, Quiz, QuizChoice, Step
from pages.shared.site_map import MEANING, TRADEOFF

_DELTA, _ALPHA, _CONFIDENCE = 1e-6, 0.05, 0.95
_RARE = 1e-6  # a false positive rate as small as δ
_NOISES = ("Gaussian at (1, 1e-6)", "Laplace at ε = 1")  # which step 3 asks for
_CURVES = (
    "!here_approx:@green=;here_gaussian:@blue=;here_laplace:@orange="  # the chosen curve is (ε, δ)-DP, not the noise
)
_PEOPLE = {"promise": "delta", "alpha": "0.05"}  # 100 people, before and after a positive test
_COUNTS = 50, 1000, 700, 1000  # false positives, non-members, false negatives, members
INVENTED_COUNTS = "_".join(map(str, _COUNTS))
"""The counts of the demonstration as a link has them, which are not the user's own data."""


def _power_of_guarantee(epsilon: float) -> float:
    """Return the largest power that (ε, δ)-DP alone allows."""
    return float(tradeoff.epsilon_delta_power(_ALPHA, epsilon, _DELTA))


def _power_with_noise(epsilon: float) -> float:
    """Return the largest power with the least Gaussian noise that satisfies (ε, δ)-DP."""
    mu = 1 / float(gaussian.analytic_sigma(epsilon, _DELTA))
    return 1 - float(tradeoff.gaussian(_ALPHA, mu))


def _posterior(prior: float) -> float:
    return float(tradeoff.posterior(_ALPHA, _power_of_guarantee(1), prior))


def _proved_epsilon() -> float:
    """Return the ε that the attack proves."""
    false_positives, non_members, false_negatives, members = _COUNTS
    attack = audit.attack_from_counts([false_positives], non_members, [false_negatives], members)
    return float(audit.epsilon_lower(audit.band(None, attack, _CONFIDENCE), _DELTA).value)


def _power_sentence() -> str:
    return (
        "An attacker tests who is in the data, with a false positive rate of 5 %. Guessing finds 5 % of the members; "
        f"under ε = 1 and δ = 1e-6 the best test finds at most {percent_up(_power_of_guarantee(1))}."
    )


def _even_prior_quiz() -> Quiz:
    choices = (
        QuizChoice("50 %, as before", 0.49, 0.51),
        QuizChoice("About 73 %", 0.72, 0.74),
        QuizChoice("About 95 %", 0.94, 0.96),
    )
    question = (
        "Before the test, the probability that you are in the data is 50 %. What is it at most after a positive test "
        "with a false positive rate of 5 %?"
    )
    return Quiz(question, _posterior(0.5), choices)


def _odds_factor(alpha: float) -> float:
    """Return the largest factor of a positive test on the odds: the true positive rate over the false positive rate."""
    return float(tradeoff.epsilon_delta_power(alpha, 1, _DELTA)) / alpha


def _even_prior_sentence() -> str:
    return (
        f"At most {percent_up(_posterior(0.5), FEW_DIGITS)}. This test multiplies the odds of membership by at most"
        f" {format_up(_odds_factor(_ALPHA))}, slightly more than e. Because of δ a rarer positive test can reveal more:"
        f" at a false positive rate of {format_input_up(_RARE)} the factor is {format_up(_odds_factor(_RARE))}."
    )


def _small_prior_quiz() -> Quiz:
    choices = (
        QuizChoice("About 2.7 %", 0.026, 0.028),
        QuizChoice("About 24 %", 0.23, 0.25),
        QuizChoice("About 73 %", 0.72, 0.74),
    )
    return Quiz("And if the probability was only 1 % before the test?", _posterior(0.01), choices)


def _small_prior_sentence() -> str:
    return (
        f"At most {percent_up(_posterior(0.01), FEW_DIGITS)}. The guarantee limits the factor on the odds, which is "
        "the same as before; the posterior depends on the prior too."
    )


def _noise_quiz() -> Quiz:
    choices = (
        QuizChoice("About 8 %", 0.07, 0.09),
        QuizChoice(f"{percent_up(_power_of_guarantee(1))}, all that the guarantee allows", 0.13, 0.14),
        QuizChoice("About 27 %, because noise is random", 0.26, 0.28),
    )
    question = "Take the least Gaussian noise with this guarantee. How many members does a test find then?"
    return Quiz(question, _power_with_noise(1), choices)


def _noise_sentence() -> str:
    return (
        f"At most {percent_up(_power_with_noise(1))}: the noise reveals less than its guarantee allows. State the"
        f" mechanism; otherwise readers must assume {percent_up(_power_of_guarantee(1))}."
    )


def _larger_epsilon_quiz() -> Quiz:
    choices = (
        QuizChoice("About 15 %, as 3 × 5 %", 0.14, 0.16),
        QuizChoice(f"About 41 %, as 3 × {percent_up(_power_of_guarantee(1))}", 0.4, 0.42),
        QuizChoice("More than 90 %", 0.9),
    )
    return Quiz(
        "At ε = 3, how many members does the guarantee alone allow a test to find?",
        _power_of_guarantee(3),
        choices,
    )


def _larger_epsilon_sentence() -> str:
    return (
        f"{percent_up(_power_of_guarantee(3))}: at ε = 3 the guarantee alone protects hardly anybody here. With the"
        f" least Gaussian noise that satisfies it, a test finds at most {percent_up(_power_with_noise(3))}."
    )


def _attack_quiz() -> Quiz:
    choices = (
        QuizChoice("Yes, 30 % is not much", high=1),
        QuizChoice("No, it proves a larger ε", low=1),
    )
    question = (
        "In each of 2,000 independent runs of the mechanism a coin decided whether a person was in the data. A test "
        "finds 300 of 1,000 members, with 50 false positives among 1,000 non-members. Can the mechanism satisfy ε = 1 "
        "and δ = 1e-6?"
    )
    return Quiz(question, _proved_epsilon(), choices)


def _attack_sentence() -> str:
    return (
        f"No: with 95 % confidence the attack proves ε ≥ {format_down(_proved_epsilon())} at δ = 1e-6, because the runs"
        " are independent; one run that is tested on 2,000 people would not prove it. An attack can refute a guarantee,"
        " but an attack that fails proves nothing."
    )


MEMBERSHIP_INFERENCE = Demonstration(
    "attacker",
    "What ε = 1 allows an attacker",
    "How many members a test finds, the posterior after a positive test, what the noise itself reveals, and an attack.",
    (
        Step(TRADEOFF, {"curves": _CURVES}, _power_sentence, _even_prior_quiz, hidden=_NOISES),
        Step(MEANING, _PEOPLE | {"prior": "0.5"}, _even_prior_sentence, _small_prior_quiz, ("epsilon", "0.01")),
        Step(MEANING, _PEOPLE | {"prior": "0.01"}, _small_prior_sentence, _noise_quiz, ("prior", "0.5")),
        Step(TRADEOFF, {}, _noise_sentence, _larger_epsilon_quiz),
        Step(TRADEOFF, {"curves": _CURVES, "epsilon": "3"}, _larger_epsilon_sentence, _attack_quiz, ("epsilon", "1")),
        Step(
            TRADEOFF,
            {"curves": _CURVES, "section": "attack", "attack": INVENTED_COUNTS},
            _attack_sentence,
        ),
    ),
)
