from pages.accuracy.fields import budget_editor
from pages.accuracy.topic import TOPIC
from pages.shared import frame


def _body() -> None:
    page = frame.open_page(TOPIC)
    if page.section == "budget":
        budget_editor(page.found.setting.budget, page.found.shares)
    frame.explanation(page)


frame.run(TOPIC.page, _body)
