"""What a survey of two options says of a population whatever the share of one of them is."""

from dataclasses import replace
from math import isnan

from dpcore import local
from pages.survey.results import LEAST_SIGNIFICANCE, Side, SurveyResult


def population_at_any_share(result: SurveyResult) -> Side | None:
    """What the answer has of a population whatever the share is, of two options; None of more, or without an ε.

    Only the numbers about a population are other ones than those of `sides`.
    """
    setting, method = result.setting, result.method
    wanted, d, n, alpha = setting.wanted_error, setting.n_options, setting.n_people, setting.significance
    side = result.sides[result.side]
    if not result.is_binary or isnan(side.epsilon):
        return None
    if result.is_office:  # its noise is the same for every share, and sampling has the largest error at ½
        level = max(alpha, LEAST_SIGNIFICANCE)
        error = local.curator_population_half_width(side.epsilon, d, n, 0.5, level)
        enough = local.curator_population_epsilon(wanted, d, n, 0.5, level)
        people = local.curator_population_people(wanted, side.epsilon, d, 0.5, level)
    else:
        error = local.half_width(side.epsilon, d, n, method, None, alpha, sampling=True)
        enough = local.epsilon_for_half_width(wanted, d, n, method, None, alpha, sampling=True)
        people = local.least_people(wanted, side.epsilon, d, method, None, alpha, sampling=True)
    numbers = float(error), float(enough), float(people)
    return replace(
        side, population_error=numbers[0], wanted_population_epsilon=numbers[1], population_people=numbers[2]
    )
