"""The guarantees of groups and of shuffled reports, as a program with dpcore."""

from pages.composition.groups.results import groups_at
from pages.composition.results import CompositionResult
from pages.framework.layout.code_panel import number, program, unavailable
from pages.framework.layout.section import Snippet
from pages.shared.libraries import DPCORE, PEERS

_NO_SHUFFLING = "It has no bound for shuffled local reports."


def snippets(result: CompositionResult) -> tuple[Snippet, ...]:
    """Return the program that computes the answer."""
    groups = groups_at(result)
    if groups is None:
        return ()
    setting = groups.setting
    code = program(
        "from dpcore import composition, gaussian",
        "",
        f"epsilon, delta, people = {number(setting.epsilon)}, {number(setting.delta)}, {setting.size}",
        "sigma = gaussian.analytic_sigma(epsilon, delta)",
        "print(gaussian.epsilon_from_sigma(delta, sigma, people))",
        f"print(composition.shuffled_epsilon(delta, {number(setting.local_epsilon)}, {setting.reports}))",
        "print(composition.group_delta(epsilon, delta, people))",
    )
    printed = groups.gaussian, groups.shuffled[2], groups.group_delta
    note = "ε of the group under Gaussian noise, ε of the shuffled reports, and δ of the group at gε."
    return Snippet(DPCORE, code, note, printed), *unavailable(dict.fromkeys(PEERS, _NO_SHUFFLING))
