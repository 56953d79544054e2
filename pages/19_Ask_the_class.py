from pages.framework.layout import page_run
from pages.live_class import widgets
from pages.live_class.page import PAGE


def _body() -> None:
    page = page_run.open_page(PAGE, uploads=(widgets.current_round(),), rerun_if_changed=widgets.follow)
    page_run.explanation(page)


page_run.run(PAGE.entry, _body)
