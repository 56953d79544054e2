"""The parameters of the section on the exponential mechanism: the axis of the picture, and what it shows."""

from pages.framework.parameters.kinds import Choice
from pages.framework.parameters.parameter import Parameter
from pages.shared.bounded.parameters import HIGH, LOW, P

OVER = Choice("over", "what the scales are drawn over", {"p": "Shape p", "width": "Width c₁ − c₀"}, "p")
SCALE = Choice("bounded_scale", "scale shown", {"ratio": "b ÷ exact truncated b", "scale": "Scale b"}, "ratio")
PINNABLE: tuple[Parameter, ...] = (P, LOW, HIGH)
PARAMETERS: tuple[Parameter, ...] = (OVER, SCALE)
