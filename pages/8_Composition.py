from pages.composition import widgets
from pages.composition.page import PAGE
from pages.framework.layout import page_frame, page_run


def _body() -> None:
    page = page_run.open_page(PAGE)
    if page.section in ("together", "accountants", "profile"):
        widgets.render_releases_editor(page.result.items)
    page_run.explanation(page)


page_frame.run(PAGE.entry, _body)
