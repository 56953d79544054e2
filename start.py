"""The script of the start page."""

from pages.framework.layout import page_frame, page_run
from pages.start.page import PAGE

page_frame.run(PAGE.entry, lambda: page_run.open_page(PAGE))
