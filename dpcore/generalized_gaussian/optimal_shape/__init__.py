"""Choices among generalized Gaussian noises: each guarantee side by side, and the shape p that needs the least noise.

For one statistic a guarantee, a record of `dpcore.calibrations`, gives the scale b of every p; for several,
`along_several` has that of [Liu19] Prop. 8. How large noise of a given b is, is measured by its `size`. All public
names stand here.

References
----------
[Liu19] F. Liu, IEEE TKDE 31(4), 2019, doi:10.1109/TKDE.2018.2845388.
"""

from dpcore.calibrations import GENERALIZED_ADP as ADP
from dpcore.calibrations import GENERALIZED_DISJOINT as DISJOINT
from dpcore.calibrations import GENERALIZED_EXACT_PDP as EXACT_PDP
from dpcore.calibrations import GENERALIZED_GAUSSIAN as GUARANTEES
from dpcore.generalized_gaussian.optimal_shape.best import MOST_P, Best, best_against, best_frame, best_map, best_p
from dpcore.generalized_gaussian.optimal_shape.sizes import (
    SIZES,
    along,
    along_several,
    densities,
    matched_scales,
    simulated,
    size,
)

__all__ = [
    "ADP",
    "DISJOINT",
    "EXACT_PDP",
    "GUARANTEES",
    "MOST_P",
    "SIZES",
    "Best",
    "along",
    "along_several",
    "best_against",
    "best_frame",
    "best_map",
    "best_p",
    "densities",
    "matched_scales",
    "simulated",
    "size",
]
