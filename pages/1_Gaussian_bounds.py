from pages.framework.layout import page_frame
from pages.gaussian_bounds.topic import TOPIC


def _body() -> None:
    page = page_frame.open_page(TOPIC)
    page_frame.explanation(page)


page_frame.run(TOPIC.page, _body)
