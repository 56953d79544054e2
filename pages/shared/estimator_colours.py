"""The colour and the dash of each estimator, in every picture of the page."""

from pages.framework.export.exhibit import Colours

_COLOURS_AND_DASHES = {  # those of one kind share a colour and differ by dash
    "none": ("grey", "solid"),
    "posterior_mean": ("purple", "solid"),
    "james_stein": ("blue", "dash"),
    "james_stein_plus": ("blue", "solid"),
    "soft_universal": ("orange", "dash"),
    "soft_sure": ("orange", "solid"),
    "non_negative": ("green", "dash"),
    "with_total": ("green", "solid"),
    "wavelet_universal": ("rose", "dash"),
    "wavelet_sure": ("rose", "solid"),
    "laplacian": ("ochre", "solid"),
    "graph_wavelet": ("rose", "solid"),
    "trend_filtering": ("teal", "solid"),
}


def estimator_colour(key: str, colours: Colours) -> str:
    """Return the colour of an estimator."""
    return colours[_COLOURS_AND_DASHES[key][0]]


def estimator_dash(key: str) -> str:
    """Return the dash of an estimator's line."""
    return _COLOURS_AND_DASHES[key][1]
