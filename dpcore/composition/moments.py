"""The moment generating function of the privacy loss: K(s) = ln E_P e^{sL} of one run of a release, at complex s.

K adds up over independent releases, so that the moments of any list cost the same however often its lines run. From K
the contour integral has δ and ε (`dpcore.composition.contour`), and K(α − 1)/(α − 1) is the Rényi divergence of order
α. Gaussian noise, Laplace noise and randomised response have closed forms ([Mir17]); a step of DP-SGD is integrated
over its noise. Every function is entire in s; in "add" it is that of "remove" at −1 − s, and the two differ for a step
of DP-SGD alone.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, expm1, log1p

from dpcore.checks import Array, number, option
from dpcore.composition._sampled_moments import MOST_NODES, Tilted, log_excess, tilted
from dpcore.composition.cells import lattice_losses
from dpcore.composition.releases import DIRECTIONS, LISTED, RELEASE_KINDS, UNKNOWN, Release
from dpcore.rounding import ULP

Complex = NDArray[np.complexfloating]
KINDS = tuple(key for key, kind in RELEASE_KINDS.items() if kind.losses != UNKNOWN)
REAL_RANGE = "[1e-6, 1e6]"
IMAGINARY_RANGE = "[-1e6, 1e6]"
PER_OCTAVE = 4  # real s that are tabled: 2^{j/4}
_BLOCK = 16
_MOST_PRODUCTS = 2**22
_LATE = np.linspace(0.75, 1.0, 16)  # of the nodes' end
_N_NARROW = 11  # terms of θ for σ < 1: e^−k²/2 of the next one is nothing, next to that of k = ½ too
_MOST_TABLED = 4096  # nodes; beyond them, rare losses rule all moments, which no saddle is next to


def log_moment(release: Release, s: ArrayLike, direction: str = "remove") -> Complex:
    """K(s) = ln E_P e^{sL} of one run, whatever its count; the imaginary part is right up to a multiple of 2π.

    Gaussian: s(s + 1)/2z². Laplace: ln[((1 + s)e^{sε} + s e^{−(1+s)ε})/(1 + 2s)]; truncated, a mixture of that and of
    randomised response, whose δ is no loss either. A guarantee has the losses of randomised response, ln[(e^{(1+s)ε} +
    e^{−sε})/(1 + e^ε)], which dominate those of every mechanism that satisfies ε; its δ is no loss and stays apart. So
    has an exponential mechanism, whose own K is smaller: there it is an upper bound at real s. Of a profile it
    is that of the pair that has it.

    Parameters
    ----------
    release : of any kind but `"zcdp"`, whose losses are not known: ρ bounds their moments only.
    s : complex, its real part in [1e-6, 1e6] and its imaginary part in [−1e6, 1e6].
    direction : `"remove"`: P has the person. `"add"`: Q has.

    Returns
    -------
    complex, of the shape of s. At real s it is right to about 1e-13 of itself, at complex s e^{K(s)} is right to about
    1e-14 of e^{K(Re s)}, so that K(s) loses digits where it has decayed; a step of DP-SGD of rate q has an absolute
    error of about 1e-16 q besides, which counts where q < 1e-3, and a profile one of 1e-15.

    Raises
    ------
    ValueError
        also where a step of DP-SGD would take more than 65,536 nodes.

    Examples
    --------
    >>> from dpcore.composition import gaussian_release, sampled_release
    >>> log_moment(gaussian_release(2), 1 + 1j)
    array(0.125+0.375j)
    >>> f"{log_moment(sampled_release(4, 0.01), 1).real:.11g}"
    '6.4494250942e-06'
    """
    option("direction", direction, DIRECTIONS)
    option("kind", release.kind, KINDS)
    s = _complex_order(s)
    if release.kind != "sampled" or release.is_gaussian:
        return np.asarray(_of_one(release.kind, release.numbers, s))
    moments = np.empty(s.shape, dtype=complex)
    for real in np.unique(np.real(s)):
        is_real = np.real(s) == real
        moments[is_real] = _sampled(release, float(real), np.imag(s)[is_real], direction)
    return moments


def log_moments(releases: Sequence[Release], s: ArrayLike) -> NDArray[np.inexact]:
    """K(s) = ln E_P e^{sL} of one run of each of several releases, by the formulas of `log_moment`, in less time.

    Releases of one kind are evaluated together. The direction is "remove", which differs from "add" for a step of
    DP-SGD alone.

    Parameters
    ----------
    releases : of any kind but `"zcdp"`.
    s : as for `log_moment`; real or complex.

    Returns
    -------
    of shape (n_releases, *s.shape); float64 where s is real, else complex, right to the precision of `log_moment`.

    Examples
    --------
    >>> from dpcore.composition import gaussian_release, laplace_release
    >>> log_moments([gaussian_release(2), laplace_release(0.5), gaussian_release(1)], [1.0, 3.0]).round(4).tolist()
    [[0.25, 1.5], [0.2003, 0.9628], [1.0, 6.0]]
    """
    array = _complex_order(s) if _is_complex(s) else number("s", s, REAL_RANGE)
    moments = np.empty((len(releases), *array.shape), array.dtype)
    kinds: dict[str, list[int]] = {}
    for row, release in enumerate(releases):
        option("kind", release.kind, KINDS)
        formula = _formula_of(release.kind, release.numbers)
        if formula is not None:
            kinds.setdefault(formula, []).append(row)
        else:
            own = log_moment(release, array)
            moments[row] = own if np.iscomplexobj(array) else np.real(own)
    for kind, rows in kinds.items():
        numbers = np.array([releases[row].numbers for row in rows]).T
        moments[rows] = _by_formula(kind, [column.reshape(-1, *[1] * array.ndim) for column in numbers], array)
    return moments


def _complex_order(s: ArrayLike) -> NDArray[np.complex128]:
    """Return s as complex numbers, checked."""
    if not _is_complex(s):
        return number("s", s, REAL_RANGE).astype(np.complex128)
    number("real part of s", np.real(s), REAL_RANGE)
    number("imaginary part of s", np.imag(s), IMAGINARY_RANGE)
    return np.asarray(s, np.complex128)


def _is_complex(s: ArrayLike) -> bool:
    try:
        return np.iscomplexobj(s)
    except ValueError:  # a ragged list, which is refused like every other
        return False


def _sampled(release: Release, real: float, imaginary: Array, direction: str) -> Complex:
    order, sign = (1 + real, 1) if direction == "remove" else (-real, -1)
    noise, rate = release.numbers
    measure = tilted(noise, rate, order, float(np.max(abs(imaginary))))
    level = log_excess(noise, rate, np.array([order]))
    if measure is None or not np.isfinite(level[0]):
        raise ValueError(
            f"s must be where a step of DP-SGD takes at most {MOST_NODES} nodes, got a real part of {real}"
        )
    angle = sign * np.multiply.outer(imaginary, measure.loss)
    return level[0] + log1p(_exponential_less_one(angle) @ measure.weight)


def _formula_of(kind: str, numbers: tuple[float, ...]) -> str | None:
    """Return the kind whose formula K(s) has; None for a step of DP-SGD, which is integrated, and for a profile."""
    if kind == "discrete_gaussian" and numbers[0] < 1:
        return "narrow_discrete_gaussian"
    return None if kind == "profile" or (kind == "sampled" and numbers[1] < 1) else kind


def _of_one(kind: str, numbers: tuple[float, ...], s: Complex) -> Complex:
    """Return K(s) of a release that is no step of DP-SGD."""
    if kind == "profile":
        return _of_profile(numbers, s)
    return np.asarray(_by_formula(_formula_of(kind, numbers) or kind, numbers, s), complex)


def _of_profile(numbers: tuple[float, ...], s: Complex) -> Complex:
    """ln Σ w e^{sl} over the losses of a profile, for each real part of s by itself."""
    moments = np.empty(s.shape, dtype=complex)
    for real in np.unique(np.real(s)):
        rows = np.real(s) == real
        measure, level = _tilted_profile(numbers, float(real))
        turns = _exponential_less_one(np.multiply.outer(np.imag(s)[rows], measure.loss)) @ measure.weight
        moments[rows] = level + log1p(turns)
    return moments


def _tilted_profile(numbers: tuple[float, ...], real: float) -> tuple[Tilted, float]:
    """Return the losses of a profile with weights under e^{sl} at a real s, and K(s)."""
    losses = lattice_losses("profile", numbers)
    own = np.exp(losses.log_mass - np.max(losses.log_mass))
    exponent = losses.log_mass + real * losses.loss
    most = np.max(exponent)
    weight = np.exp(exponent - most)
    level = float(most - np.max(losses.log_mass) + np.log(np.sum(weight) / np.sum(own)))
    return Tilted(losses.loss, weight / np.sum(weight), np.ones_like(weight)), level


def _by_formula(kind: str, numbers: Sequence[float | Array], s: NDArray[np.inexact]) -> NDArray[np.inexact]:
    """Return K(s) of one kind; the numbers broadcast against s, and the result is real where s is."""
    if kind in ("gaussian", "sampled"):
        return s * (s + 1) / (2 * numbers[0] ** 2)
    if kind == "narrow_discrete_gaussian":
        return _of_narrow_discrete_gaussian(numbers[0], numbers[1], s)
    if kind == "discrete_gaussian":
        return _of_discrete_gaussian(numbers[0], numbers[1], s)
    if kind == "geometric":
        return _of_geometric(numbers[0], numbers[1], s)
    epsilon = numbers[0]
    if kind == "laplace":
        return s * epsilon + log1p(s * expm1(-(2 * s + 1) * epsilon) / (2 * s + 1))
    if kind == "truncated_laplace":  # 1 + w times the moment of Laplace noise less w times that of randomised response
        more = numbers[1] / np.tanh(epsilon / 2) / (1 - numbers[1])
        own = s * expm1(-(2 * s + 1) * epsilon) / (2 * s + 1)
        return s * epsilon + log1p((1 + more) * own - more * expm1(-2 * s * epsilon) * expit(-epsilon))
    return s * epsilon + log1p(expm1(-2 * s * epsilon) * expit(-epsilon))


def _of_discrete_gaussian(sigma: float | Array, steps: float | Array, s: NDArray[np.inexact]) -> NDArray[np.inexact]:
    """s(s + 1)Δ²/(2σ²) + ln[θ(sΔ)/θ(0)] for σ ≥ 1, with θ(f) = Σ_k e^{−(k+f)²/(2σ²)}.

    By Poisson summation θ(f) is √(2π) σ Σ_m e^{−2π²σ²m² + 2πimf}, of which the terms |m| ≤ 1 are left for an imaginary
    part of at most πσ²/Δ: e^{K(s)} has the period 2πσ²/Δ, but for the sign (−1)^Δ.
    """
    decay = -2 * (math.pi * sigma) ** 2
    at_zero = 2 * np.exp(decay)
    if not np.iscomplexobj(s):
        more = at_zero * (np.cos(2 * math.pi * steps * s) - 1) / (1 + at_zero)
        return s * (s + 1) * (steps * steps / (2 * sigma * sigma)) + log1p(more)
    period = 2 * math.pi * sigma * sigma / steps
    turns = np.rint(np.imag(s) / period)
    near = s - 1j * turns * period
    phase = 2j * math.pi * steps * near
    more = (np.exp(decay + phase) + np.exp(decay - phase) - at_zero) / (1 + at_zero)
    sign = 1j * math.pi * (turns * steps % 2)
    return near * (near + 1) * (steps * steps / (2 * sigma * sigma)) + sign + log1p(more)


def _of_narrow_discrete_gaussian(
    sigma: float | Array, steps: float | Array, s: NDArray[np.inexact]
) -> NDArray[np.inexact]:
    """As `_of_discrete_gaussian`, for σ < 1, where θ is summed: θ(f) is even and has the period 1 (own).

    With sΔ = n + f and |Re f| ≤ ½, K = (sΔ² + 2sΔn − n²)/(2σ²) + ln(1 + Σ_{k ≥ 1} e^{−k(k − 2f)/(2σ²)}
    (1 − e^{−kf/σ²})²/θ(0)).
    """
    square = 2 * sigma * sigma
    turns = np.rint(np.imag(s) * steps / (math.pi * square))
    near = s - 1j * turns * math.pi * square / steps if np.iscomplexobj(s) else s
    whole = np.rint(np.real(near) * steps)
    rest = near * steps - whole
    rest = np.where(np.real(rest) < 0, -rest, rest)
    more, at_zero = np.zeros_like(rest), np.ones_like(square)
    for k in range(1, _N_NARROW):
        more = more + np.exp(-k * (k - 2 * rest) / square) * expm1(-2 * k * rest / square) ** 2
        at_zero = at_zero + 2 * np.exp(-k * k / square)
    own = near * steps * ((steps + 2 * whole) / square) - whole * (whole / square) + log1p(more / at_zero)
    return own + 1j * math.pi * (turns * steps % 2) if np.iscomplexobj(s) else own


def _of_geometric(epsilon: float | Array, steps: float | Array, s: NDArray[np.inexact]) -> NDArray[np.inexact]:
    """sε + ln[(1 + w^Δ + (1 − r)(w + … + w^{Δ−1}))/(1 + r)], with r = e^{−ε/Δ} and w = r e^{−2sε/Δ}."""
    rate = epsilon / steps
    log = -(1 + 2 * s) * rate
    inner = np.exp(log) * expm1((steps - 1) * log) / expm1(log)
    less = expm1(-rate)
    return s * epsilon + log1p((expm1(steps * log) - less - less * inner) / (2 + less))


def tabled(kind: str, numbers: tuple[float, ...], direction: str, low: int, high: int) -> Array:
    """K(2^{j/4}) for j = low, …, high; without sampling, so more, where a step of DP-SGD would take too many nodes."""
    first, last = low // _BLOCK, high // _BLOCK
    blocks = [_block(kind, numbers, direction, block) for block in range(first, last + 1)]
    return np.concatenate(blocks)[low - first * _BLOCK : high + 1 - first * _BLOCK]


@lru_cache(maxsize=4096)
def _block(kind: str, numbers: tuple[float, ...], direction: str, block: int) -> Array:
    s: Array = np.exp2((block * _BLOCK + np.arange(_BLOCK)) / PER_OCTAVE)
    if kind != "sampled":
        return np.asarray(np.real(_of_one(kind, numbers, s.astype(complex))), dtype=np.float64)
    noise, rate = numbers
    excess = log_excess(noise, rate, 1 + s if direction == "remove" else -s, _MOST_TABLED)
    return np.where(np.isfinite(excess), excess, s * (s + 1) / (2 * noise**2))


@dataclass(frozen=True)
class CharacteristicFunction:
    """φ(t) = M(c + it)/M(c) of one run: ln φ at t = kh, k = 0, …, and what ln |φ| is at most after the last of them.

    Attributes
    ----------
    most : of all of φ, at some t up to the end;
    still : without what has decayed for good, which is of those whose loss shows that the person was in the sample.
    place : the mean loss of those whose loss says that the person was not.
    """

    log: Complex
    most: Array
    still: Array
    place: float


@lru_cache(maxsize=256)
def characteristic_function(
    kind: str, numbers: tuple[float, ...], direction: str, real: float, distance: float, count: int
) -> CharacteristicFunction | None:
    """φ at count nodes; None where a step of DP-SGD would take too many nodes.

    |φ| of a step of DP-SGD may come back, where runs with the person and without are in phase again, but the sum of the
    lengths of both parts falls: that is what is taken of it.
    """
    t = distance * np.arange(count)
    if kind == "profile":
        some = np.zeros(_LATE.shape)
        measure, _ = _tilted_profile(numbers, real)
        return CharacteristicFunction(_log_of_turns(_turns(measure, distance, count)), some, some, 0.0)
    if kind != "sampled":
        s = real + 1j * t
        most = np.full(_LATE.shape, _most_beyond(kind, numbers, real, distance * count))
        return CharacteristicFunction(_of_one(kind, numbers, s) - _of_one(kind, numbers, s[:1]), most, most, 0.0)
    order, sign = (1 + real, 1) if direction == "remove" else (-real, -1)
    noise, rate = numbers
    measure = tilted(noise, rate, order, distance * count)
    if measure is None or measure.loss.size * count > _MOST_PRODUCTS:
        return None
    log = _log_of_turns(_turns(measure, sign * distance, count))
    return CharacteristicFunction(log, *_late(measure, sign, distance * count))


def _log_of_turns(turns: Complex) -> Complex:
    """ln φ of φ − 1."""
    near = 2 * turns.real + turns.real**2 + turns.imag**2
    far = np.log(np.maximum(np.hypot(1 + turns.real, turns.imag), ULP / 8))  # decayed to rounding
    length = np.where(near > -0.5, np.log1p(np.maximum(near, -0.5)) / 2, far)
    return length + 1j * np.arctan2(turns.imag, 1 + turns.real)


def _late(measure: Tilted, sign: int, end: float) -> tuple[Array, Array, float]:
    """Return `most`, `still` and `place` of `CharacteristicFunction`, by powers of how likely the person is sampled."""
    turn = np.exp(1j * np.multiply.outer(end * _LATE, measure.loss))
    far, near = measure.share**12, (1 - measure.share) ** 12  # far up the rest is as smooth as can be
    rounding = ULP * (4 + 0.02 * end * float(np.max(abs(measure.loss))))
    inside = np.maximum(abs(turn @ (measure.weight * far)) - rounding, 0)
    outside = np.maximum(abs(turn @ (measure.weight * (1 - far))), ULP / 8)
    place = sign * float((measure.weight * near) @ measure.loss) / max(float(measure.weight @ near), ULP)
    return np.log(outside + inside), np.log(outside), place


def _most_beyond(kind: str, numbers: tuple[float, ...], real: float, end: float) -> float:
    """Return the most that ln |φ(t)| may be at t ≥ `end`."""
    if kind in ("guarantee", "truncated_laplace") or RELEASE_KINDS[kind].losses in LISTED:
        return 0.0
    epsilon, s = numbers[0], complex(real, end)
    atoms = (abs(1 + s) + abs(s) * math.exp(-(1 + 2 * real) * epsilon)) / abs(1 + 2 * s)
    own = ((1 + real) + real * math.exp(-(1 + 2 * real) * epsilon)) / (1 + 2 * real)
    return min(math.log(atoms / own), 0.0)


def _turns(measure: Tilted, distance: float, count: int) -> Complex:
    """Σ w (e^{ikhℓ} − 1) for all k: k = ai + j, and uv − 1 = (u − 1) + (v − 1) + (u − 1)(v − 1), one matrix product."""
    inner = math.isqrt(count - 1) + 1
    outer = -(-count // inner)
    fine = _exponential_less_one(distance * np.multiply.outer(np.arange(inner), measure.loss))
    coarse = (
        _exponential_less_one(distance * inner * np.multiply.outer(np.arange(outer), measure.loss)) * measure.weight
    )
    total = coarse @ fine.T + np.sum(coarse, axis=1)[:, None] + fine @ measure.weight
    return total.ravel()[:count]


def _exponential_less_one(angle: Array) -> Complex:
    """e^{iθ} − 1, to a few roundings of itself."""
    half = np.sin(angle / 2)
    return -2 * half * half + 1j * np.sin(angle)
