from pages.framework.layout import page_frame
from pages.gaussian_bounds.page import PAGE


def _body() -> None:
    page = page_frame.open_page(PAGE)
    page_frame.explanation(page)


page_frame.run(PAGE.entry, _body)
