"""The conditions of the ε of a training: who has how many records, and what else the data were used for."""

from dataclasses import replace

from pages.composition.results import CompositionResult
from pages.framework.layout.section import Conditions
from pages.framework.parameters.parameter import Values
from pages.shared.conditions import CONTRIBUTION, Subject, release_conditions

POISSON = "the batches are Poisson"
_TRAINING = Subject(
    limit="each person has one record",
    fixed="the settings of the training were chosen without these data",
    from_data="trainings on these data chose the settings",
    question="Were the settings of the training chosen without these data?",
    risk="trainings on these data chose the settings, and this ε does not count them",
    remedy="Choose the settings on public data, or count those trainings too: "
    "[All releases together](./Composition) adds them up. With settings chosen without these data:",
    is_fixed_in_headline=False,
    can_have_limit=False,
    is_per_record=True,
)


def training_conditions(result: CompositionResult) -> Conditions | None:
    """Return the conditions of the ε of DP-SGD, whose batches are Poisson; None where nothing solves for its target."""
    training = result.training
    if not training.is_solved:
        return None
    return release_conditions(result.values, replace(_TRAINING, assumption=POISSON if training.rate < 1 else ""))


def batching_conditions(result: CompositionResult) -> Conditions:
    """Return the conditions of the ε of a training with the batches of its loader."""
    return release_conditions(result.values, _TRAINING)


def unit_of(values: Values) -> str:
    """Return who or what a training protects: a person, or one record of a person who can have several."""
    return "record" if values[CONTRIBUTION.key] in ("limited", "unlimited") else "person"
