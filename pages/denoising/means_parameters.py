"""What the section on Experiment 5.2 asks."""

from pages.shared.parameters import Choice, Parameter

MEANS_AGAINST = Choice(
    "means_against", "what the error is drawn against", {"dimension": "d", "epsilon": "ε"}, "dimension"
)
OWN: tuple[Parameter, ...] = (MEANS_AGAINST,)
