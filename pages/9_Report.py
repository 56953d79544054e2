from pages.framework.layout import page_frame
from pages.report import fields
from pages.report.topic import TOPIC


def _body() -> None:
    page = page_frame.open_page(TOPIC, held=(fields.held(),))
    fields.making(page.found)


page_frame.run(TOPIC.page, _body)
