"""δ at ε and ε at δ in lines of code."""

import math

from dpcore import composition
from pages.composition import other_libraries
from pages.composition.privacy_profile.results import points_at
from pages.composition.results import CompositionResult
from pages.composition.total_epsilon.code import METHODS, epsilon_line, releases_lines
from pages.composition.total_epsilon.results import all_releases
from pages.framework.layout.code_panel import number, program
from pages.framework.layout.section import Snippet
from pages.shared.libraries import DPCORE


def snippets(result: CompositionResult) -> tuple[Snippet, ...]:
    """Return δ at ε, and ε at δ; nothing where there is no ε."""
    releases, setting = all_releases(result), result.setting
    points, bound = points_at(result), composition.epsilon(all_releases(result), result.setting.delta)
    if math.isinf(bound.value):
        return ()
    code = program(
        *releases_lines(releases),
        f"epsilon, delta = {number(setting.epsilon)}, {number(setting.delta)}",
        "print(composition.delta(releases, epsilon).value)",
        epsilon_line("best"),
    )
    snippet = Snippet(
        DPCORE, code, f"δ at ε, and ε at δ. {METHODS[str(bound.accountant)]}", (points.delta, points.epsilon)
    )
    return snippet, *other_libraries.list_snippets(releases, setting.delta, points.epsilon)
