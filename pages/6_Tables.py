from pages.framework.layout import page_run, widgets
from pages.shared.counts.table import TABLE
from pages.shared.counts.upload import own_table
from pages.tables.page import PAGE


def _body() -> None:
    above_stage = widgets.place_above_stage()
    own_data = own_table(TABLE)
    page = page_run.open_page(PAGE, uploads=(own_data.content(),))
    own_data.draw(above_stage)
    if not page.result.is_missing:
        page_run.explanation(page)


page_run.run(PAGE.entry, _body)
