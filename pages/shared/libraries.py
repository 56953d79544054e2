"""The names of the libraries of the code snippets."""

DPCORE, OPENDP, DP_ACCOUNTING, DIFFPRIVLIB, OPACUS = "dpcore", "OpenDP", "dp-accounting", "diffprivlib", "Opacus"
PEERS = (OPENDP, DP_ACCOUNTING, DIFFPRIVLIB, OPACUS)
