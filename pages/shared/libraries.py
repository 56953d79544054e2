"""The names of the libraries in which the pages give their answers."""

DPCORE, OPENDP, DP_ACCOUNTING, DIFFPRIVLIB, OPACUS = "dpcore", "OpenDP", "dp-accounting", "diffprivlib", "Opacus"
PEERS = (OPENDP, DP_ACCOUNTING, DIFFPRIVLIB, OPACUS)
