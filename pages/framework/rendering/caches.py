"""The caches of functions in this process, which may hold what was computed from a user's own data."""

import sys
from functools import lru_cache
from typing import Any

from pages.framework.site import site

_Cache: Any = type(lru_cache(lambda: None))


def clear() -> None:
    """Clear the caches of the functions of the pages and of the computation, in this process."""
    for cache in clearable():
        cache.cache_clear()


def clearable() -> list[Any]:
    """Return the caches of functions that may get a user's data: those that are bounded, and all of the computation.

    Unbounded caches of pages stay. They hold what never changes, or that something was done once.
    """
    modules = [module for name, module in sys.modules.items() if name.startswith(("pages.", f"{site().package}."))]
    caches = {id(item): item for module in modules for item in vars(module).values() if isinstance(item, _Cache)}
    return [cache for cache in caches.values() if _is_bounded(cache) or cache.__module__.startswith(site().package)]


def _is_bounded(cache: Any) -> bool:
    return cache.cache_parameters()["maxsize"] is not None
