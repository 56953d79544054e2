"""The demonstrations on what can be learnt about one person: by an attacker, and from randomised response.

The first has trade-off curves and 100 people, at δ = 1e-6 and a false positive rate of 5 %. The second has 60 simulated
students, of whom each answers yes with probability 30 %.
"""

from collections.abc import Callable
from math import inf

import numpy as np

from dpcore import audit, gaussian, local, tradeoff
from dpcore.tradeoff import pure_posterior
from pages.framework.parameters.number_format import FEW_DIGITS, format_down, format_input_up, format_up, percent_up
from pages.framework.site import Demonstration, Quiz, Step, Told
from pages.shared.site_map import LIVE_CLASS, MEANING, SURVEY, TRADEOFF

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


def _power_told() -> Told:
    sentence = (
        "An attacker tests who is in the data, with a false positive rate of 5 %. Guessing finds 5 % of the members; "
        f"under ε = 1 and δ = 1e-6 the best test finds at most {percent_up(_power_of_guarantee(1))}."
    )
    return sentence, Quiz(
        "Before the test, the probability that you are in the data is 50 %. What is it at most after a positive test "
        "with a false positive rate of 5 %?",
        _posterior(0.5),
        ("50 %, as before", 0.49, 0.51),
        ("About 73 %", 0.72, 0.74),
        ("About 95 %", 0.94, 0.96),
    )


def _odds_factor(alpha: float) -> float:
    """Return the largest factor of a positive test on the odds: the true positive rate over the false positive rate."""
    return float(tradeoff.epsilon_delta_power(alpha, 1, _DELTA)) / alpha


def _even_prior_told() -> Told:
    sentence = (
        f"At most {percent_up(_posterior(0.5), FEW_DIGITS)}. This test multiplies the odds of membership by at most"
        f" {format_up(_odds_factor(_ALPHA))}, slightly more than e. Because of δ a rarer positive test can reveal more:"
        f" at a false positive rate of {format_input_up(_RARE)} the factor is {format_up(_odds_factor(_RARE))}."
    )
    return sentence, Quiz(
        "And if the probability was only 1 % before the test?",
        _posterior(0.01),
        ("About 2.7 %", 0.026, 0.028),
        ("About 24 %", 0.23, 0.25),
        ("About 73 %", 0.72, 0.74),
    )


def _small_prior_told() -> Told:
    sentence = (
        f"At most {percent_up(_posterior(0.01), FEW_DIGITS)}. The guarantee limits the factor on the odds, which is "
        "the same as before; the posterior depends on the prior too."
    )
    return sentence, Quiz(
        "Take the least Gaussian noise with this guarantee. How many members does a test find then?",
        _power_with_noise(1),
        ("About 8 %", 0.07, 0.09),
        (f"{percent_up(_power_of_guarantee(1))}, all that the guarantee allows", 0.13, 0.14),
        ("About 27 %, because noise is random", 0.26, 0.28),
    )


def _noise_told() -> Told:
    sentence = (
        f"At most {percent_up(_power_with_noise(1))}: the noise reveals less than its guarantee allows. State the"
        f" mechanism; otherwise readers must assume {percent_up(_power_of_guarantee(1))}."
    )
    return sentence, Quiz(
        "At ε = 3, how many members does the guarantee alone allow a test to find?",
        _power_of_guarantee(3),
        ("About 15 %, as 3 × 5 %", 0.14, 0.16),
        (f"About 41 %, as 3 × {percent_up(_power_of_guarantee(1))}", 0.4, 0.42),
        ("More than 90 %", 0.9, inf),
    )


def _larger_epsilon_told() -> Told:
    sentence = (
        f"{percent_up(_power_of_guarantee(3))}: at ε = 3 the guarantee alone protects hardly anybody here. With the"
        f" least Gaussian noise that satisfies it, a test finds at most {percent_up(_power_with_noise(3))}."
    )
    return sentence, Quiz(
        "In each of 2,000 independent runs of the mechanism a coin decided whether a person was in the data. A test "
        "finds 300 of 1,000 members, with 50 false positives among 1,000 non-members. Can the mechanism satisfy ε = 1 "
        "and δ = 1e-6?",
        _proved_epsilon(),
        ("Yes, 30 % is not much", 0, 1),
        ("No, it proves a larger ε", 1, inf),
    )


def _attack_told() -> Told:
    sentence = (
        f"No: with 95 % confidence the attack proves ε ≥ {format_down(_proved_epsilon())} at δ = 1e-6, because the runs"
        " are independent; one run that is tested on 2,000 people would not prove it. An attack can refute a guarantee,"
        " but an attack that fails proves nothing."
    )
    return sentence, None


MEMBERSHIP_INFERENCE = Demonstration(
    "attacker",
    "What ε = 1 allows an attacker",
    "How many members a test finds, the posterior after a positive test, what the noise itself reveals, and an attack.",
    (
        Step(TRADEOFF, {"curves": _CURVES}, _power_told, hidden=_NOISES),
        Step(MEANING, _PEOPLE | {"prior": "0.5"}, _even_prior_told, ("epsilon", "0.01")),
        Step(MEANING, _PEOPLE | {"prior": "0.01"}, _small_prior_told, ("prior", "0.5")),
        Step(TRADEOFF, {}, _noise_told),
        Step(TRADEOFF, {"curves": _CURVES, "epsilon": "3"}, _larger_epsilon_told, ("epsilon", "1")),
        Step(TRADEOFF, {"curves": _CURVES, "section": "attack", "attack": INVENTED_COUNTS}, _attack_told),
    ),
)


_STUDENTS, _SURE, _WANTED = 60, 8.0, 0.05
_METHOD = "randomized_response"


def _class_error() -> float:
    """Return the ± of a share of yes among the students at ε = 1, at the worst of five true shares."""
    shares = np.linspace(0, 1, 5)
    return float(np.max(local.exact_half_width(1, 2, _STUDENTS, _METHOD, shares)))


def _believed(epsilon: float) -> float:
    """Return what a belief of 50 % in a yes becomes at most, once a phone has sent it."""
    return float(pure_posterior(epsilon, 0.5))


def _asked_told() -> Told:
    sentence = (
        f"{_STUDENTS} simulated students are asked whether they have ever cheated. Each phone draws at random what it "
        f"sends: at ε = 1 the answer with probability {percent_up(_believed(1), 3)}, and otherwise the other one."
    )
    return sentence, Quiz(
        "Half of all you know speaks for a student’s yes. Now you see the phone send yes. What do you believe?",
        _believed(1),
        ("Still half", 0, 0.55),
        ("About three quarters", 0.7, 0.8),
        ("That it is certain", 0.99, 1),
    )


def _seen_told() -> Told:
    sentence = (
        f"At most {percent_up(_believed(1), 3)}: the phone may have drawn the yes. That holds for every student, "
        "whatever the lecturer or the server does with the reports."
    )
    return sentence, Quiz(
        f"And the class: how far is the estimated share of yes among {_STUDENTS} students off?",
        _class_error(),
        ("Up to 5 percentage points", 0, 0.05),
        ("About 25 percentage points", 0.2, 0.3),
        ("100 percentage points", 0.9, 1.1),
    )


def _class_told() -> Told:
    sentence = (
        f"±{format_up(100 * _class_error())} percentage points in 95 % of classes. Report by report the "
        "estimate settles, and its band narrows like 1/√n."
    )
    return sentence, Quiz(
        "How many students must answer for ±5 percentage points?",
        _people(),
        ("About 300, five times as many", 250, 350),
        ("About 1400, 25 times as many", 1300, 1500),
        ("No number is enough", 1e6, inf),
    )


def _people() -> float:
    """Return how many people must answer for a share within the wanted error."""
    return float(local.least_people(_WANTED, 1, 2, _METHOD, 0.3))


def _people_told() -> Told:
    sentence = f"{_people():,.0f}: a fifth of the error takes 25 times as many answers, as in every survey."
    return sentence, Quiz(
        f"A trusted office gets the {_STUDENTS} true answers and adds the noise once, at ε = 1. How far off is it?",
        float(local.curator_half_width(1, 2, _STUDENTS)),
        ("As far, ε is the same", 0.2, 0.3),
        ("About 5 percentage points", 0.04, 0.06),
        ("Not at all", 0, 0.01),
    )


def _office_told() -> Told:
    office = float(local.curator_half_width(1, 2, _STUDENTS))
    sentence = (
        f"±{format_up(100 * office)} percentage points, beside ±{format_up(100 * _class_error())} of "
        "phones. That is the price of trusting nobody: the office knows every answer."
    )
    return sentence, Quiz(
        "At ε = 8 phones hardly lie. What do you believe after one yes?",
        _believed(_SURE),
        ("Still about three quarters", 0.7, 0.8),
        ("About nine tenths", 0.85, 0.95),
        ("Nearly certain", 0.99, 1),
    )


def _sure_told() -> Told:
    sentence = (
        f"Up to {percent_up(_believed(_SURE))}: the class is known exactly, and so is each student. ε is chosen for "
        "the student, and the number of answers for the class."
    )
    return sentence, None


def _class_step(told: Callable[[], Told], sweep: tuple[str, ...] = (), **entries: str) -> Step:
    setting = {"epsilon": "1", "simulated_students": f"{_STUDENTS}"} | entries
    return Step(LIVE_CLASS, setting, told, sweep, picture="over_answers")


_SURVEY = {"epsilon": "1", "n_options": "2", "option_share": "0.3", "method": _METHOD}
RANDOMISED_RESPONSE = Demonstration(
    "response",
    "What randomised response tells",
    "Phones that draw what they send: one student, a class, more students, a trusted office, and a large ε.",
    (
        _class_step(_asked_told),
        _class_step(_seen_told),
        _class_step(_class_told, ("simulated_students", "1")),
        Step(SURVEY, _SURVEY | {"known": "people", "wanted_points": "5"}, _people_told),
        _class_step(_office_told),
        _class_step(_sure_told, sweep=("epsilon", "1"), epsilon="8"),
    ),
)
