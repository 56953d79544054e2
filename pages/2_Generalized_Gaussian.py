from pages.framework.layout import page_run
from pages.generalized_gaussian.page import PAGE


def _body() -> None:
    page = page_run.open_page(PAGE)
    page_run.explanation(page)


page_run.run(PAGE.entry, _body)
