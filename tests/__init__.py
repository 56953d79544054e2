"""The tests. Oracles in mpmath have 60 digits, whichever modules are loaded, where no test sets another precision."""

import mpmath

mpmath.mp.dps = 60
