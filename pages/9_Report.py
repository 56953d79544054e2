from pages.framework.layout import page_run
from pages.report import widgets
from pages.report.page import PAGE


def _body() -> None:
    page = page_run.open_page(PAGE, uploads=(widgets.session_items(),))
    widgets.progress(page.result)


page_run.run(PAGE.entry, _body)
