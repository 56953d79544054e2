from pages.denoising.map import widgets as map_widgets
from pages.denoising.page import PAGE
from pages.denoising.parameters import TABLE
from pages.framework.layout import page_run, widgets
from pages.shared.counts.upload import own_table


def _body() -> None:
    above_stage = widgets.place_above_stage()
    own_counts = own_table(TABLE)
    page = page_run.open_page(PAGE, uploads=(own_counts.content(), map_widgets.OWN_PLACES.content()))
    if (page.section, page.values["show"]) == ("counts", "counts"):
        own_counts.draw(above_stage)
    if page.section == "map":
        map_widgets.render_fields(page.result, above_stage)
    page_run.explanation(page)


page_run.run(PAGE.entry, _body)
