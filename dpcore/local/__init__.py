"""Surveys in which each person adds the noise (local differential privacy): how exact what they answer remains.

Each of n people has one of d options, or a number, and sends a report that satisfies ε-DP by itself, so that nobody
needs to be trusted. For each option a report counts with probability p if it is the person's, and with probability q
otherwise; the estimate of a share is (counted share − q)/(p − q). Its error is far larger than that of an office which
adds noise once: it falls like 1/√n, not like 1/n (`curator_half_width`).

ε is in nats. Arguments broadcast. Bad input raises `ValueError`: `name must be in RANGE, got VALUE`. All public names
stand here.
"""

from dpcore.local.curator import (
    curator_epsilon,
    curator_half_width,
    curator_population_epsilon,
    curator_population_half_width,
    curator_population_people,
)
from dpcore.local.numbers import NUMBER_METHODS, mean_half_width, mean_least_people, sample_numbers
from dpcore.local.shares import (
    HALF_WIDTH_RANGE,
    METHODS,
    OPTIONS_RANGE,
    epsilon_for_half_width,
    half_width,
    least_people,
    report_probabilities,
    simultaneous_half_width,
    subset_size,
)
from dpcore.local.surveys import (
    N_DRAWS,
    QUESTION_WAYS,
    consistent_shares,
    estimated_shares,
    exact_half_width,
    other_option_draws,
    questions_half_width,
    randomizer_epsilon,
    sample_counts,
)

__all__ = [
    "HALF_WIDTH_RANGE",
    "METHODS",
    "NUMBER_METHODS",
    "N_DRAWS",
    "OPTIONS_RANGE",
    "QUESTION_WAYS",
    "consistent_shares",
    "curator_epsilon",
    "curator_half_width",
    "curator_population_epsilon",
    "curator_population_half_width",
    "curator_population_people",
    "epsilon_for_half_width",
    "estimated_shares",
    "exact_half_width",
    "half_width",
    "least_people",
    "mean_half_width",
    "mean_least_people",
    "other_option_draws",
    "questions_half_width",
    "randomizer_epsilon",
    "report_probabilities",
    "sample_counts",
    "sample_numbers",
    "simultaneous_half_width",
    "subset_size",
]
