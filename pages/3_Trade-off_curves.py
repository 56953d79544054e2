from pages.shared import frame
from pages.shared.contents import TRADEOFF
from pages.tradeoff import attack_fields, exhibits, sections
from pages.tradeoff import fields as own_fields
from pages.tradeoff.curves import listing
from pages.tradeoff.explanation import explanation
from pages.tradeoff.parameters import own

curves = listing(own_fields.points_held())
held = (attack_fields.attack_held(),)
page = frame.open_page(TRADEOFF, own(curves), exhibits.found, sections.SECTIONS, sections.answer, held=held)
if page.section == "attack":
    attack_fields.attack_fields()
own_fields.curve_box(curves, lambda: page.found)
frame.explanation(lambda: explanation(page.found.row, page.found.quoted[0]))
