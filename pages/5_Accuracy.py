from pages.accuracy.fields import budget_editor
from pages.accuracy.topic import TOPIC
from pages.framework.layout import page_frame


def _body() -> None:
    page = page_frame.open_page(TOPIC)
    if page.section == "budget":
        budget_editor(page.found.setting.budget, page.found.shares)
    page_frame.explanation(page)


page_frame.run(TOPIC.page, _body)
