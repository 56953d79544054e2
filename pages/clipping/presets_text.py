"""Links to settings from public figures."""

from collections.abc import Iterable, Mapping

from pages.clipping.results import ClippingResult
from pages.shared.page_links import Link, shared_entries
from pages.shared.site_map import CLIPPING

Preset = tuple[str, Mapping[str, str], str]
"""A name, the entries of its link, and its source."""


def presets_text(result: ClippingResult, section: str, presets: Iterable[Preset]) -> str:
    """Return links that open a section with values from public figures, with the sources of these."""
    shared = {**shared_entries(result.setting), "section": section, "source": "shape"}
    items = (f"{Link(CLIPPING, name, {**shared, **entries}).markdown}: {source}" for name, entries, source in presets)
    return f"**Start from public figures.** {'. '.join(items)}."
