from pages.framework.layout import page_frame, page_run
from pages.plan import widgets
from pages.plan.page import PAGE


def _body() -> None:
    page = page_run.open_page(PAGE)
    widgets.render_queries_editor(page.result)
    page_run.explanation(page)


page_frame.run(PAGE.entry, _body)
