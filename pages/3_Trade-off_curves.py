from pages.framework.layout import page_frame
from pages.tradeoff import attack_widgets
from pages.tradeoff import widgets as own_fields
from pages.tradeoff.curves import listing
from pages.tradeoff.page import PAGE


def _body() -> None:
    points = own_fields.points_held()
    page = page_frame.open_page(PAGE, held=(attack_widgets.attack_held(), points or None))
    if page.section == "attack":
        attack_widgets.attack_fields()
    own_fields.curve_box(listing(points), lambda: page.result)
    page_frame.explanation(page)


page_frame.run(PAGE.entry, _body)
