from dataclasses import replace

from pages.shared import frame
from pages.tradeoff import attack_fields
from pages.tradeoff import fields as own_fields
from pages.tradeoff.curves import listing
from pages.tradeoff.parameters import own
from pages.tradeoff.topic import TOPIC


def _body() -> None:
    points = own_fields.points_held()
    curves = listing(points)
    # A worker does not have the points of a session's files.
    topic = replace(TOPIC, own=own(curves)) if points else TOPIC
    page = frame.open_page(topic, held=(attack_fields.attack_held(),))
    if page.section == "attack":
        attack_fields.attack_fields()
    own_fields.curve_box(curves, lambda: page.found)
    frame.explanation(page)


frame.run(TOPIC.page, _body)
