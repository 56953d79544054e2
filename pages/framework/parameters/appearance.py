"""The parameters of every page that change its appearance, but not its results."""

from pages.framework.parameters.kinds import Choice

PICTURE = Choice("picture", "picture format", {"svg": "SVG", "png": "PNG", "pdf": "PDF"}, "svg")
PRESENT = Choice("present", "presentation", {"off": "Off", "on": "On"}, "off")
