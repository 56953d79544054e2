"""The names of the libraries of the code snippets."""

DPCORE, OPENDP, DP_ACCOUNTING, DIFFPRIVLIB, OPACUS = "dpcore", "OpenDP", "dp-accounting", "diffprivlib", "Opacus"
RISKCAL = "riskcal"  # which calibrates noise to a risk, and to nothing else of these pages
PEERS: tuple[str, ...] = (OPENDP, DP_ACCOUNTING, DIFFPRIVLIB, OPACUS)
JAX_PRIVACY = "JAX Privacy"  # whose noise for training is that of running totals
PYTHON = "Python"  # without a library: a survey needs none
