from pages.generalized_gaussian.topic import TOPIC
from pages.shared import frame


def _body() -> None:
    page = frame.open_page(TOPIC)
    frame.explanation(page)


frame.run(TOPIC.page, _body)
