"""Wavelet thresholding of a Gaussian release of a series, an image, or numbers at the nodes of a graph.

The release is transformed, soft-thresholded, and transformed back. Of series and images the transform is orthonormal at
every length, not at powers of two alone, so that the noise of every coefficient is N(0, σ²), independent of the others,
and Stein's estimate stays unbiased. The ends are joined (PyWavelets' mode "periodization"): a series that ends far from
where it began has a few large coefficients there. Where an axis has an odd length at some level, its last number waits:
along this axis it is kept as it is, and the others are transformed.

On a graph the basis is that of a spanning tree, orthonormal like Haar's: one constant for each connected component, and
for each split of a set of nodes into two a vector that is constant on each and sums to 0. The splits are those of a
spanning tree. Where its centroid is taken out, branches of at most half the nodes each remain; these and the centroid
are joined two by two, the smallest first, as in Huffman's code, so that each node is in O(log n) splits; each branch is
then split in the same way. Values that change along few edges of the tree have few coefficients other than 0.

References
----------
[BW18] Balle & Wang 2018, arXiv:1805.06530. [DJ95] Donoho & Johnstone 1995, Adapting to unknown smoothness via wavelet
shrinkage, JASA 90, doi:10.1080/01621459.1995.10476626. [SSK13] Sharpnack, Singh & Krishnamurthy 2013, Detecting
activations over graphs using spanning tree wavelet bases, AISTATS, PMLR 31:536–544.
"""

from functools import lru_cache
from heapq import heapify, heappop, heappush
from itertools import pairwise
from math import prod
from typing import Any, NamedTuple

import numpy as np
import pywt
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import minimum_spanning_tree

from dpcore.checks import Array, number, option, scalar_integer
from dpcore.denoise.filtering import on_nodes
from dpcore.denoise.projection import Estimate, checked_release
from dpcore.denoise.thresholding import soft, sureshrink, universal_soft
from dpcore.graphs import Graph
from dpcore.rounding import round_up

WAVELETS = {"haar": 2, "db4": 8, "sym8": 16}  # and the length of the filter
RULES = ("universal", "sure")
_MODE = "periodization"


def wavelet(
    noisy: ArrayLike, sigma: ArrayLike, wavelet: str = "haar", rule: str = "universal", axes: int = 1
) -> Estimate:
    """Wᵀ η_T(W ŷ): soft threshold of the orthonormal wavelet coefficients, the approximation kept as released.

    For values that are smooth, or constant but for jumps, along a series or an image: a few coefficients then hold them
    all. It hurts where neighbours have little in common, since every coefficient above T is pulled down by T.

    Parameters
    ----------
    noisy : ŷ in [-1e100, 1e100], the coordinates along the last axis (`axes=1`) or the last two (`axes=2`); other axes
        are releases.
    sigma : in [1e-50, 1e100], one number or one for each release.
    wavelet : "haar" (for counts and jumps), "db4" or "sym8" (for smooth values). Along an axis of length n it is
        applied ⌊log₂(n/(L − 1))⌋ times, L = 2, 8 and 16 being the length of its filter: below n = 2, 14 and 30 never.
    rule : "universal": T = σ√(2 ln m) for all of the m detail coefficients, the threshold of [BW18] Thm 12.
        "sure": a T for each level, by the hybrid of [DJ95]: σ√(2 ln m) for the level's m coefficients where their mean
        square is at most σ²(1 + (log₂ m)^{3/2}/√m), too little beyond noise to choose by; else the T of least SURE, up
        to the same.
    axes : 1 for series, 2 for images, where the three kinds of detail of one level have one T.

    Returns
    -------
    The estimate. Its `sure` is unbiased with "universal" and optimistic with "sure", which chose T by it: with Haar's
    on series of 0, waves, steps or peaks by 1σ² to 7σ² at d = 100, at d = 1024 by 2σ² to 9σ², but for peaks by 56σ²,
    6 % of the release's dσ² (simulated). `tuning` is T with "universal" and NaN with "sure", which has several; NaN
    where nothing was transformed, and `value` is ŷ.

    Examples
    --------
    >>> estimate = wavelet([5, 5.5, 4.5, 5, 0.5, -0.5, 0, 0], sigma=0.5)
    >>> estimate.value.round(2).tolist(), round(float(estimate.tuning), 2)
    ([4.65, 4.65, 4.65, 4.65, 0.35, 0.35, 0.35, 0.35], 0.99)
    """
    noisy, sigma = checked_release(noisy, sigma, scalar_integer("axes", axes, "[1, 2]"))
    option("wavelet", wavelet, tuple(WAVELETS))
    option("rule", rule, RULES)
    sizes = noisy.shape[noisy.ndim - axes :]
    halvings, (coarse, *details) = _layout(sizes, wavelet)
    coefficients = _transform(noisy, halvings, wavelet).reshape(*sigma.shape, prod(sizes))
    sure, tuning = coarse.size * sigma**2, np.full(sigma.shape, np.nan)
    if rule == "universal" and details:
        details = [np.concatenate(details)]
    for detail in details:
        noisy_details = coefficients[..., detail]
        threshold = (_universal if rule == "universal" else _hybrid)(noisy_details, sigma)
        thresholded = soft(noisy_details, sigma, threshold)
        coefficients[..., detail] = thresholded.value
        sure = sure + thresholded.sure
        tuning = thresholded.tuning if rule == "universal" else tuning
    return Estimate(_inverse_transform(coefficients.reshape(noisy.shape), halvings, wavelet), sure, tuning)


def _universal(detail: Array, sigma: Array) -> Array:
    return sigma * np.sqrt(2 * np.log(detail.shape[-1]))


def _hybrid(detail: Array, sigma: Array) -> Array:
    """Return the threshold of [DJ95] §2.4."""
    n_details, threshold = detail.shape[-1], np.array(_universal(detail, sigma))
    dense = np.mean(detail**2, axis=-1) > sigma**2 * (1 + np.log2(n_details) ** 1.5 / np.sqrt(n_details))
    if dense.any():
        most = 2 * threshold[dense][..., None]  # larger coefficients have no say in the choice, nor do they overflow
        scale = sigma[dense]
        chosen = sureshrink(np.clip(detail[dense], -most, most) / scale[..., None], 1.0).tuning
        threshold[dense] = round_up(scale * chosen, 4)  # so that the coefficient that T is equal to becomes 0
    return threshold


Block = tuple[int, ...]
Slices = tuple[Any, ...]  # an ellipsis for the axes of the releases, and a slice for each axis of a block


class Halving(NamedTuple):
    """What a level does along one axis: the block of even length, its halves for the coefficients, and the axis."""

    level: int
    block: Slices
    coarse: Slices
    detail: Slices
    axis: int


def _layout(sizes: Block, wavelet: str) -> tuple[list[Halving], list[NDArray[np.intp]]]:
    """Return the halvings of a release of these sizes, and the positions of coarse coefficients and of each level's."""
    halvings = _halvings(_blocks(sizes, wavelet))
    return halvings, _places(sizes, halvings)


def _blocks(sizes: Block, wavelet: str) -> list[Block]:
    """Return the leading block of the coefficients that each level takes apart, and the one that the last leaves."""
    n_levels = [pywt.dwt_max_level(size, WAVELETS[wavelet]) for size in sizes]
    return [
        tuple(size >> min(level, most) for size, most in zip(sizes, n_levels, strict=True))
        for level in range(max(n_levels) + 1)
    ]


def _halvings(blocks: list[Block]) -> list[Halving]:
    """Return what each level does along each of its axes.

    A number left over where the axis is odd stays in its place; it is not part of the next block, so it stays for good.
    """
    halvings = []
    for level, (block, halved) in enumerate(pairwise(blocks), 1):
        for axis, half in enumerate(halved):
            if half < block[axis]:
                before, after = [slice(size) for size in block[:axis]], [slice(size) for size in block[axis + 1 :]]
                even, coarse, detail = (
                    (..., *before, part, *after) for part in (slice(2 * half), slice(half), slice(half, 2 * half))
                )
                halvings.append(Halving(level, even, coarse, detail, axis - len(block)))
    return halvings


def _places(sizes: Block, halvings: list[Halving]) -> list[NDArray[np.intp]]:
    """Return the positions of the coarse coefficients, and of the details by level, among those of one release."""
    levels = np.zeros(sizes, dtype=np.uint8)  # the level that each coefficient is a detail of, 0 for those kept
    for halving in halvings:
        levels[halving.detail] = halving.level
    levels = levels.ravel()
    return np.split(np.argsort(levels, kind="stable"), np.cumsum(np.bincount(levels))[:-1])


def _transform(values: Array, halvings: list[Halving], wavelet: str) -> Array:
    coefficients = values.copy()
    for _, block, coarse, detail, axis in halvings:
        coefficients[coarse], coefficients[detail] = pywt.dwt(coefficients[block], wavelet, _MODE, axis)
    return coefficients


def _inverse_transform(coefficients: Array, halvings: list[Halving], wavelet: str) -> Array:
    values = coefficients.copy()
    for _, block, coarse, detail, axis in reversed(halvings):
        values[block] = pywt.idwt(values[coarse], values[detail], wavelet, _MODE, axis)
    return values


NUMBER_RANGE = "[-1e97, 1e97]"  # so that coefficients, up to √n times as large, are in the range of thresholds
Split = tuple[list[int], list[int]]


def graph_wavelet(noisy: ArrayLike, sigma: ArrayLike, graph: Graph, rule: str = "universal") -> Estimate:
    """Wᵀ η_T(Wŷ): soft threshold of the coefficients in a spanning tree's wavelets, the constants kept as released.

    For values that change along few edges: where y differs along k edges of the spanning tree, of order k ln n of its
    coefficients are not 0. It hurts where neighbours have little in common: the universal threshold then takes T off
    most coefficients that hold something, and may be worse than no denoising at all; SURE's choice seldom is. The sum
    over each connected component is kept.

    Parameters
    ----------
    noisy : ŷ in [-1e97, 1e97], the nodes along the last axis; other axes are releases.
    sigma : σ in [1e-50, 1e100], in query units: one number or one for each release.
    graph : of the nodes.
    rule : "universal", T = σ√(2 ln m) for the m coefficients other than the constants, or "sure", the T of least SURE
        between 0 and that.

    Returns
    -------
    The estimate, with T as `tuning`, NaN in a graph without edges. `sure` is unbiased with "universal" and optimistic
    with "sure", which chose T by it: on grids of 0, waves, steps or peaks by 6σ² to 11σ² at n = 100 and 9σ² to 23σ² at
    n = 1024, 2 % of the release's nσ² (simulated).

    Examples
    --------
    >>> from dpcore.graphs import path_graph
    >>> estimate = graph_wavelet([5, 5.5, 4.5, 5, 0.5, -0.5, 0, 0], sigma=0.5, graph=path_graph(8))
    >>> estimate.value.round(2).tolist(), round(float(estimate.tuning), 2)
    ([4.65, 4.65, 4.65, 4.65, 0.35, 0.35, 0.35, 0.35], 0.99)
    """
    noisy, sigma = on_nodes(number("noisy", noisy, NUMBER_RANGE), sigma, graph)
    option("rule", rule, RULES)
    wavelets, n_constants = basis(graph), graph.n_components
    coefficients = (wavelets @ noisy.reshape(-1, graph.n_nodes).T).T.reshape(noisy.shape)
    if n_constants == graph.n_nodes:
        return Estimate(noisy.copy(), graph.n_nodes * sigma**2, np.full(sigma.shape, np.nan))
    details = (universal_soft if rule == "universal" else sureshrink)(coefficients[..., n_constants:], sigma)
    coefficients[..., n_constants:] = details.value
    value = (wavelets.T @ coefficients.reshape(-1, graph.n_nodes).T).T.reshape(noisy.shape)
    return Estimate(value, details.sure + n_constants * sigma**2, details.tuning)


@lru_cache(maxsize=8)
def basis(graph: Graph) -> csr_array:
    """Return the n × n orthonormal matrix W of a graph's tree wavelets, a row each, its components' constants first.

    It has at most n(2 + 2.45 log₂ n) entries. The last eight graphs' bases are remembered.

    Examples
    --------
    >>> from dpcore.graphs import path_graph
    >>> basis(path_graph(2)).toarray().round(3).tolist()
    [[0.707, 0.707], [0.707, -0.707]]
    """
    neighbours = _tree(graph)
    splits = [split for component in _members(graph) for split in _splits(component, neighbours)]
    constants = [(nodes, 1 / np.sqrt(len(nodes))) for nodes in _members(graph)]
    rows = [nodes for nodes, _ in constants] + [upper + lower for upper, lower in splits]
    values = [np.full(len(nodes), value) for nodes, value in constants] + [_wavelet_values(*split) for split in splits]
    starts = np.concatenate([[0], np.cumsum([len(row) for row in rows])])
    return csr_array((np.concatenate(values), np.concatenate(rows), starts), shape=(graph.n_nodes, graph.n_nodes))


def _wavelet_values(upper: list[int], lower: list[int]) -> Array:
    n_upper, n_lower = len(upper), len(lower)
    ratio = np.sqrt(n_lower / n_upper)
    return np.repeat([ratio, -1 / ratio], [n_upper, n_lower]) / np.sqrt(n_upper + n_lower)


def _members(graph: Graph) -> list[list[int]]:
    order = np.argsort(graph.components, kind="stable")
    return [nodes.tolist() for nodes in np.split(order, np.cumsum(np.bincount(graph.components))[:-1])]


def _tree(graph: Graph) -> list[list[int]]:
    """Return the neighbours of each node in the tree of least total weight, of weights drawn once for each edge.

    A random tree, as in [SSK13], because then no values are bad for it beforehand; theirs is uniform among all spanning
    trees. For Manhattan's pickups of 2013 with σ = 2 and 8, theirs, this one and trees of shortest paths had the same
    error within 4 %.
    """
    start, end = graph.edges.T
    weights = np.random.default_rng(0).uniform(1, 2, graph.n_edges)
    tree = minimum_spanning_tree(csr_array((weights, (start, end)), shape=(graph.n_nodes, graph.n_nodes))).tocoo()
    neighbours: list[list[int]] = [[] for _ in range(graph.n_nodes)]
    for node, other_node in zip(tree.row.tolist(), tree.col.tolist(), strict=True):
        neighbours[node].append(other_node)
        neighbours[other_node].append(node)
    return neighbours


def _splits(component: list[int], neighbours: list[list[int]]) -> list[Split]:
    """Return the splits of a component of a forest, which is taken apart on the way."""
    splits, waiting = [], [component[0]]
    while waiting:
        centroid, branches = _branches(waiting.pop(), neighbours)
        for nodes in branches:
            neighbours[nodes[0]].remove(centroid)
        pieces = [(len(nodes), nodes[0], nodes) for nodes in [[centroid], *branches]]
        heapify(pieces)
        while len(pieces) > 1:
            (n_upper, _, upper), (n_lower, first, lower) = heappop(pieces), heappop(pieces)
            splits.append((upper, lower))
            heappush(pieces, (n_upper + n_lower, first, upper + lower))
        waiting += [nodes[0] for nodes in branches if len(nodes) > 1]
    return splits


def _branches(root: int, neighbours: list[list[int]]) -> tuple[int, list[list[int]]]:
    """Return the centroid of the tree of this node, and the nodes of each of its branches, the one beside it first."""
    parent = _parents(root, root, neighbours)
    size = dict.fromkeys(parent, 1)
    for node in reversed(parent):
        if node != root:
            size[parent[node]] += size[node]
    centroid = next(node for node in reversed(parent) if 2 * size[node] >= size[root])
    return centroid, [list(_parents(branch, centroid, neighbours)) for branch in neighbours[centroid]]


def _parents(root: int, without: int, neighbours: list[list[int]]) -> dict[int, int]:
    """Return the nodes on this side of a node of a tree, nearest first, and for each the one before it."""
    parent, order = {root: without}, [root]
    for node in order:
        for other in neighbours[node]:
            if other != parent[node]:
                parent[other] = node
                order.append(other)
    return parent
