"""The results of the page on Laplace and Gaussian noise by their links."""

from functools import lru_cache

from tests.pages.conftest import found_by

PAGE = "laplace_gaussian"


@lru_cache(32)
def result_of(**link):
    return found_by(PAGE, **link)
