from pages.framework.layout import page_run, widgets
from pages.median.page import PAGE
from pages.shared.values.own_data import OWN_DATA


def _body() -> None:
    above_stage = widgets.place_above_stage()
    page = page_run.open_page(PAGE, uploads=(OWN_DATA.content(),))
    OWN_DATA.draw(above_stage)
    if not page.result.is_missing:
        page_run.explanation(page)


page_run.run(PAGE.entry, _body)
