from pages.clipping.page import PAGE
from pages.clipping.widgets import OWN_DATA
from pages.framework.layout import page_frame, page_run


def _body() -> None:
    page = page_run.open_page(PAGE, uploads=(OWN_DATA.content(),))
    OWN_DATA.draw()
    if not page.result.is_missing:
        page_run.explanation(page)


page_frame.run(PAGE.entry, _body)
