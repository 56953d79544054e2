from pages.accuracy.page import PAGE
from pages.framework.layout import page_run


def _body() -> None:
    page_run.explanation(page_run.open_page(PAGE))


page_run.run(PAGE.entry, _body)
