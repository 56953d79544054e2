"""The page as a whole."""

from pages.framework.layout.page import Topic
from pages.shared.site_map import TRADEOFF
from pages.tradeoff import code, exhibits, parameters, proofs, sections
from pages.tradeoff.curves import listing
from pages.tradeoff.explanation import explanation

TOPIC = Topic(
    TRADEOFF,
    parameters.OWN,
    lambda values, attack=None, points=None: exhibits.found(values, attack),
    sections.SECTIONS,
    sections.answer,
    exhibits.ALL,
    explained=lambda found: explanation(found.row, found.quoted[0]),
    claims=proofs.claims,
    snippets=code.snippets,
    naming=lambda attack, points: parameters.own(listing(points or {})),
)
