"""The parameters of every page that change how it looks, and nothing of what it computes."""

from pages.framework.parameters.kinds import Choice

PICTURE = Choice("picture", "picture format", {"svg": "SVG", "png": "PNG", "pdf": "PDF"}, "svg")
PRESENT = Choice("present", "presentation", {"off": "Off", "on": "On"}, "off")
