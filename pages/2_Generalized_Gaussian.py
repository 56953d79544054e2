from pages.generalized_gaussian import bounded_words, words
from pages.generalized_gaussian.topic import TOPIC
from pages.shared import frame

page = frame.open_page(TOPIC)
frame.explanation(lambda: f"{words.explanation(page.found)}\n\n{bounded_words.explanation(page.found)}")
