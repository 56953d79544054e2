"""The ε of the list of releases in lines of code, with dpcore and with other libraries."""

import math

from dpcore import composition
from dpcore.composition import Release
from pages.composition import other_libraries
from pages.composition.list_results import DPCORE_ACCOUNTANTS, all_releases
from pages.composition.results import CompositionResult
from pages.framework.layout.code_panel import list_lines, number, program
from pages.framework.layout.section import Snippet
from pages.shared.libraries import DPCORE
from pages.shared.releases import Releases

_MAX_LINES = 5  # lines of code for the list, whatever its number of releases
METHODS = {
    "exact": "By the exact integral, plus twice its estimated error.",
    "certified": "Certified by the distribution of the losses, or by RDP where that is smaller.",
    "rdp": "By RDP.",
    "zcdp": "By zCDP.",
    "basic": "By basic composition of releases.",
    "basic_of_lines": "By basic composition of the lines, each of which is composed exactly.",
    "kairouz_optimal": "By the binomial distribution of the losses of the (ε, δ) releases.",
}


def snippets(result: CompositionResult) -> tuple[Snippet, ...]:
    """Return the ε of the list by the accountant of the page."""
    return list_snippets(result, result.setting.accountant)


def list_snippets(result: CompositionResult, accountant: str) -> tuple[Snippet, ...]:
    """Return ε of the list by an accountant; nothing where it has none."""
    releases, delta, name = all_releases(result), result.setting.delta, DPCORE_ACCOUNTANTS[accountant]
    bound = composition.epsilon(releases, delta, name)
    if math.isinf(bound.value):
        return ()
    code = program(*releases_lines(releases), f"delta = {number(delta)}", epsilon_line(name))
    snippet = Snippet(DPCORE, code, f"ε. {METHODS[str(bound.accountant)]}", (float(bound.value),))
    return snippet, *other_libraries.list_snippets(releases, delta, float(composition.epsilon(releases, delta).value))


def epsilon_line(accountant: str) -> str:
    """Return the line that prints the ε of a list by an accountant."""
    argument = "" if accountant == "best" else f', "{accountant}"'
    return f"print(composition.epsilon(releases, delta{argument}).value)"


def releases_lines(releases: Releases) -> list[str]:
    """Return the list of releases as lines of a program."""
    calls = [_release_text(release) for release in releases]
    return ["from dpcore import composition", "", *list_lines("releases", calls, _MAX_LINES)]


def _release_text(release: Release) -> str:
    numbers = ", ".join(number(value) for value in release.numbers)
    return f"composition.{release.kind}_release({numbers}, count={release.count})"
