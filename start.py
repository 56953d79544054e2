"""The script of the start page."""

from pages.framework.layout import page_run
from pages.start.page import CLASSROOM, PAGE


def _body() -> None:
    page = page_run.open_page(PAGE)
    if page.section == CLASSROOM.key:
        page_run.explanation(page, "Script with all questions and answers")


page_run.run(PAGE.entry, _body)
