from pages.framework.layout import page_frame, page_run
from pages.shared.counts import storage_widgets
from pages.shared.counts import widgets as table_widgets
from pages.shared.counts.parameters import TABLE
from pages.tables.page import PAGE


def _body() -> None:
    page = page_run.open_page(PAGE, uploads=(storage_widgets.uploaded_table(),))
    table_widgets.table_fields(TABLE)
    if not page.result.is_missing:
        page_run.explanation(page)


page_frame.run(PAGE.entry, _body)
