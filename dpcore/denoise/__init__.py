"""Denoising a Gaussian release: what can be won back from ŷ = y + N(0, σ²I) alone, at no cost in privacy.

All public names stand here.
"""

from dpcore.denoise.estimate import Estimate

__all__ = ["Estimate"]
