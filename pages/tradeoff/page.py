"""The page as a whole."""

from pages.framework.layout.page import Page
from pages.shared.site_map import TRADEOFF
from pages.tradeoff import claims, code, exhibits, parameters, sections
from pages.tradeoff.curves import listing
from pages.tradeoff.explanation import explanation

PAGE = Page(
    TRADEOFF,
    parameters.PARAMETERS,
    lambda values, attack=None, points=None: exhibits.compute_result(values, attack),
    sections.SECTIONS,
    sections.answer,
    exhibits.ALL,
    explanation=lambda found: explanation(found.row, found.quoted[0]),
    claims=claims.claims,
    snippets=code.snippets,
    parameters_with_data=lambda attack, points: parameters.own(listing(points or {})),
)
