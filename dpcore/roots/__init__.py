"""Roots in a bracket, for arrays, which keep the safe side: an end that is returned has been tried.

`bisect` asks only whether a condition holds, and its upper end satisfies the condition itself, with every rounding of
the condition as it was computed. `safe_root` grows a bracket from a guess and takes a decreasing function's values, so
it needs fewer of them. `root_by_steps` keeps the steps of a Newton method, or one of higher order, in a bracket; each
caller steps in a variable of its own. `multisect` cuts a bracket in many parts at once. SciPy's `optimize.elementwise`
returns a bracket too, with a safe end; its calls take 6 to 13 ms more on few rows, of which a page needs several. Of a
scalar function that takes no side SciPy's `root_scalar` finds the root.

Newton methods that are proved to converge from where they begin need no bracket, so their loops stand beside the proof.
"""

from dpcore.roots.brackets import SteppedRoot, bisect, multisect, positive_mean, root_by_steps, step_within
from dpcore.roots.growing_bracket import safe_root

__all__ = [
    "SteppedRoot",
    "bisect",
    "multisect",
    "positive_mean",
    "root_by_steps",
    "safe_root",
    "step_within",
]
