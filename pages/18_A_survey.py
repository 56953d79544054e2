from pages.framework.layout import page_run
from pages.survey.page import PAGE


def _body() -> None:
    page_run.explanation(page_run.open_page(PAGE))


page_run.run(PAGE.entry, _body)
