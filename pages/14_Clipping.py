from pages.clipping import widgets
from pages.clipping.page import PAGE
from pages.framework.layout import page_frame, page_run


def _body() -> None:
    page = page_run.open_page(PAGE, uploads=(widgets.session_values(),))
    widgets.value_fields()
    if not page.result.is_missing:
        page_run.explanation(page)


page_frame.run(PAGE.entry, _body)
