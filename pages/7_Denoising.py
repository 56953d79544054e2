from pages.denoising.counts.parameters import TABLE
from pages.denoising.map import widgets as map_widgets
from pages.denoising.page import PAGE
from pages.framework.layout import page_frame, page_run
from pages.shared.counts import storage_widgets
from pages.shared.counts import widgets as table_widgets


def _body() -> None:
    page = page_run.open_page(PAGE, uploads=(storage_widgets.uploaded_table(), map_widgets.stored_source()))
    if page.section == "counts":
        table_widgets.table_fields(TABLE)
    if page.section == "map":
        map_widgets.render_fields(page.result)
    page_run.explanation(page)


page_frame.run(PAGE.entry, _body)
