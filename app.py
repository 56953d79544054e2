"""The script of the start page."""

from pages.framework.layout import page_frame
from pages.start.page import PAGE

page_frame.run(PAGE.entry, lambda: page_frame.open_page(PAGE))
