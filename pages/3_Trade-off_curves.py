from pages.framework.layout import page_run, widgets
from pages.tradeoff import widgets as tradeoff_widgets
from pages.tradeoff.curve_list import curves_parameter
from pages.tradeoff.page import PAGE
from pages.tradeoff.widgets import OWN_RESULTS, attack_fields, curve_box


def _body() -> None:
    above_stage = widgets.place_above_stage()
    points = tradeoff_widgets.session_points()
    page = page_run.open_page(PAGE, uploads=(OWN_RESULTS.content(), points or None))
    if page.section == "attack":
        attack_fields(above_stage)
    curve_box(curves_parameter(points), lambda: page.result)
    page_run.explanation(page)


page_run.run(PAGE.entry, _body)
