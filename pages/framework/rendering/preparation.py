"""What the process from which workers are forked prepares: it imports all pages and renders each page once."""

from contextlib import suppress
from importlib import import_module

from pages.framework.rendering.render import RenderRequest
from pages.framework.site import site


def prepare() -> None:
    """Import and render all pages, which takes seconds, and import what the site says."""
    for page in site().pages:
        RenderRequest(page.script, (), "light")()  # the first rendering takes three times as long
    for module in site().preloaded:
        with suppress(ImportError):  # it may require a library that is not installed
            import_module(module)
