"""What noise leaves of the cells of a table of counts."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore.checks import number


def distinguishable(count: ArrayLike, accuracy: ArrayLike) -> NDArray[np.bool_]:
    """Whether count − accuracy > 0: the band that holds a share 1 − α of the cell's releases leaves out zero.

    Parameters
    ----------
    count : true counts, at least 0.
    accuracy : half-width of the band, at least 0, in counts.

    Examples
    --------
    >>> distinguishable(count=[12, 3], accuracy=8.3).tolist()
    [True, False]
    """
    return number("count", count, "[0, inf)") > number("accuracy", accuracy, "[0, inf)")
