from pages.laplace_gaussian.topic import TOPIC
from pages.shared import frame

page = frame.open_page(TOPIC)
frame.explanation(page)
