"""The demonstrations on what can be learnt about one person: by an attacker, and from randomised response.

The first has trade-off curves and 100 people, at δ = 1e-6 and a false positive rate of 5 %. The second has 360
simulated students: at the first step all of them have the diagnosis, and later each with probability 30 %. Their seed
is one at which the estimate is seen to settle; the ± is that of any class.
"""

from collections.abc import Callable
from math import inf

import numpy as np

from dpcore import audit, gaussian, local, tradeoff
from dpcore.tradeoff import pure_posterior
from pages.framework.parameters.number_format import (
    FEW_DIGITS,
    format_down,
    format_input_up,
    format_nearest,
    format_up,
    percent,
    percent_down,
    percent_up,
)
from pages.framework.site import Demonstration, Quiz, Step, Told
from pages.shared.site_map import LIVE_CLASS, MEANING, SURVEY, TRADEOFF

_DELTA, _ALPHA, _CONFIDENCE = 1e-6, 0.05, 0.95
_RARE = 1e-6  # a false positive rate as small as δ
_GUARANTEE = "!here_approx:@green="  # the chosen curve is (ε, δ)-DP, not the noise, for which step 3 asks
_CURVES = f"{_GUARANTEE};here_gaussian:@blue=;here_laplace:@orange="
_PEOPLE = {"promise": "delta", "alpha": "0.05"}  # 100 people, before and after a positive test
_OF_CURVES = {"section": "curves", "show": "curves"}
"""The picture of the trade-off curves, whichever one the page opens with."""
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
        f"At most {percent_up(_power_with_noise(1))}: Gaussian noise reveals less than its guarantee allows. State the"
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
        "In 2,000 independent runs a test finds 300 of 1,000 members and accuses 50 of 1,000 others. Can ε = 1, "
        "δ = 1e-6 hold?",
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
        Step(TRADEOFF, _OF_CURVES | {"curves": _GUARANTEE}, _power_told),
        Step(MEANING, _PEOPLE | {"prior": "0.5"}, _even_prior_told, ("epsilon", "0.01")),
        Step(MEANING, _PEOPLE | {"prior": "0.01"}, _small_prior_told, ("prior", "0.5")),
        Step(TRADEOFF, _OF_CURVES, _noise_told),
        Step(TRADEOFF, _OF_CURVES | {"curves": _CURVES, "epsilon": "3"}, _larger_epsilon_told, ("epsilon", "1")),
        Step(TRADEOFF, {"curves": _CURVES, "section": "attack", "attack": INVENTED_COUNTS}, _attack_told),
    ),
)


_STUDENTS, _SURE, _WANTED, _PRIOR = 360, 8.0, 0.05, 0.1
_METHOD = "randomized_response"


def _class_error(epsilon: float = 1) -> float:
    """Return the ± of a share of yes among the students, at the worst of five true shares."""
    shares = np.linspace(0, 1, 5)
    return float(np.max(local.exact_half_width(epsilon, 2, _STUDENTS, _METHOD, shares)))


def _believed(epsilon: float, prior: float = _PRIOR) -> float:
    """Return what a belief in a yes becomes at most, once a phone has sent it."""
    return float(pure_posterior(epsilon, prior))


def _asked_told() -> Told:
    sentence = (
        f"{_STUDENTS} simulated students who have a diagnosis are asked for it. Each phone draws at random what it "
        f"sends: at ε = 1 the true answer with probability {percent_down(_believed(1, 0.5), 3)}, and otherwise the "
        "other one."
    )
    return sentence, Quiz(
        f"Of another student you believed the diagnosis with {percent(_PRIOR)}. Now you see this phone send yes. What "
        "do you believe?",
        _believed(1),
        ("Still 10 %, the phone may lie", 0.05, 0.12),
        ("About a quarter", 0.2, 0.3),
        ("73 %, as often as phones tell the truth", 0.7, 0.75),
    )


def _seen_told() -> Told:
    sentence = (
        f"At most {percent_up(_believed(1), 3)}: most of the yes come from the many without the diagnosis. That holds "
        "for every student, whatever the lecturer or the server does with the reports."
    )
    return sentence, Quiz(
        f"And a class of {_STUDENTS}: how far off is the estimated share of those with the diagnosis?",
        _class_error(),
        ("Up to 1 percentage point", 0, 0.01),
        ("About 10 percentage points", 0.08, 0.12),
        ("27 percentage points, as phones lie", 0.25, 0.3),
    )


def _class_told() -> Told:
    sentence = (
        f"±{format_up(100 * _class_error())} percentage points about the {_STUDENTS} who answer, in 95 % of classes. "
        "Report by report the estimate settles, and its band narrows like 1/√n."
    )
    return sentence, Quiz(
        f"How many students must answer for ±{100 * _WANTED:.0f} percentage points, about half of that?",
        _people(),
        ("About 700, twice as many", 650, 750),
        ("About 1400, four times as many", 1300, 1500),
        ("No number is enough", 1e6, inf),
    )


def _people() -> float:
    """Return how many people must answer for a share within the wanted error."""
    return float(local.least_people(_WANTED, 1, 2, _METHOD, 0.3))


def _people_told() -> Told:
    sentence = (
        f"{_people():,.0f}: half of the error takes about {format_nearest(_people() / _STUDENTS, 1)} times as many "
        f"answers, as in every survey. The picture is of so many answers: at ε = 1 their line is at "
        f"±{100 * _WANTED:.0f}."
    )
    return sentence, Quiz(
        f"A trusted office gets these {_people():,.0f} true answers and adds the noise once, at ε = 1. How far off is "
        "it?",
        _office_error(),
        ("As far, ε is the same", 0.04, 0.06),
        ("About 0.2 percentage points", 0.001, 0.003),
        ("Not at all", 0, 0.0001),
    )


def _office_error() -> float:
    """Return the ± of a trusted office with the answers of as many people."""
    return float(local.curator_half_width(1, 2, _people()))


def _office_told() -> Told:
    phones = float(local.half_width(1, 2, _people(), _METHOD, 0.3))
    sentence = (
        f"±{format_up(100 * _office_error())} percentage points, beside ±{format_up(100 * phones)} of phones. That is "
        "the price of trusting nobody: the office knows every answer."
    )
    return sentence, Quiz(
        f"At ε = {_SURE:.0f} phones hardly lie. What becomes of your belief of {percent(_PRIOR)} after one yes?",
        _believed(_SURE),
        ("Still about a quarter", 0.2, 0.3),
        ("About three quarters", 0.7, 0.8),
        ("Nearly certain", 0.99, 1),
    )


def _sure_told() -> Told:
    sentence = (
        f"Up to {percent_up(_believed(_SURE), 3)}, in whole people at most 100 of 100: {_STUDENTS} phones now tell the "
        f"share within ±{format_up(100 * _class_error(_SURE))} percentage points, and each student’s answer with it. ε "
        "is chosen for the student, and the number of answers for the class."
    )
    return sentence, None


def _class_step(
    told: Callable[[], Told], picture: str, share: str, sweep: tuple[str, ...] = (), hidden: tuple[str, ...] = ()
) -> Step:
    setting = {"epsilon": "1", "simulated_students": f"{_STUDENTS}", "simulated_share": share}
    setting |= {"ask_question": "Do you have the diagnosis?", "seed": "90"}
    return Step(LIVE_CLASS, setting, told, sweep, hidden, picture)


def _belief_step(told: Callable[[], Told], epsilon: str, sweep: tuple[str, ...] = ()) -> Step:
    setting = {"promise": "pure", "prior": f"{_PRIOR}", "in_data": "known", "stated_for": "replace"}
    return Step(MEANING, setting | {"epsilon": epsilon}, told, sweep)


def _survey_step(told: Callable[[], Told], *hidden: str) -> Step:
    setting = {"epsilon": "1", "n_options": "2", "option_share": "0.3", "method": _METHOD}
    setting |= {"known": "people", "wanted_points": f"{100 * _WANTED:.0f}"}
    return Step(SURVEY, setting, told, (), ("subset selection", "optimized unary encoding", "sampling alone", *hidden))


RANDOMISED_RESPONSE = Demonstration(
    "response",
    "What randomised response tells",
    "Phones that draw what they send: one student, a class, more students, a trusted office, and a large ε.",
    (
        _class_step(_asked_told, "options", "1", hidden=("the estimate, with its ±",)),
        _belief_step(_seen_told, "1"),
        _class_step(_class_told, "over_answers", "0.3", ("simulated_students", "1")),
        _survey_step(_people_told, "a trusted office"),
        _survey_step(_office_told),
        _belief_step(_sure_told, f"{_SURE:.0f}", ("epsilon", "1")),
    ),
)
