from pages.accuracy.budget.widgets import budget_editor
from pages.accuracy.page import PAGE
from pages.framework.layout import page_frame, page_run


def _body() -> None:
    page = page_run.open_page(PAGE)
    if page.section == "budget":
        budget_editor(page.result.setting.budget, page.result.shares)
    page_run.explanation(page)


page_frame.run(PAGE.entry, _body)
