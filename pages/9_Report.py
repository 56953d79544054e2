from pages.report import fields
from pages.report.topic import TOPIC
from pages.shared import frame


def _body() -> None:
    page = frame.open_page(TOPIC, held=(fields.held(),))
    fields.making(page.found)


frame.run(TOPIC.page, _body)
