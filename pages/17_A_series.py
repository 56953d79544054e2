from pages.framework.layout import page_run, widgets
from pages.series.page import PAGE
from pages.series.widgets import OWN_DATA, OWN_SUMS_DATA


def _body() -> None:
    above_stage = widgets.place_above_stage()
    page = page_run.open_page(PAGE, uploads=(OWN_DATA.content(), OWN_SUMS_DATA.content()))
    if page.values["section"] == "time":
        OWN_DATA.draw(above_stage)
    if page.values["section"] == "sums":
        OWN_SUMS_DATA.draw(above_stage)
    page_run.explanation(page)


page_run.run(PAGE.entry, _body)
