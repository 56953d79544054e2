from dataclasses import replace

from pages.shared import frame
from pages.tradeoff import attack_fields
from pages.tradeoff import fields as own_fields
from pages.tradeoff.curves import listing
from pages.tradeoff.parameters import own
from pages.tradeoff.topic import TOPIC

curves = listing(own_fields.points_held())
page = frame.open_page(replace(TOPIC, own=own(curves)), held=(attack_fields.attack_held(),))
if page.section == "attack":
    attack_fields.attack_fields()
own_fields.curve_box(curves, lambda: page.found)
frame.explanation(page)
