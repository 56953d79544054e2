"""The parameters of the page: beside ε and δ, what an attacker believed before, and the test that is stated."""

from pages.framework.parameters.pin import Pin
from pages.shared.shared_parameters import ALPHA, GUARANTEE, PRIOR

PARAMETERS = (GUARANTEE, PRIOR, ALPHA, Pin((GUARANTEE, PRIOR, ALPHA)))
