"""What a session has of one kind of the user's own data, beside what the link has."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from pages.framework.parameters.parameter import HoldsData, Parameter
from pages.framework.session import session_state
from pages.framework.session.data_files import OWN, DataFiles, ReadData

T = TypeVar("T")


@dataclass(frozen=True)
class Held(Generic[T]):
    """What a session has of one kind of data; files that are not read yet have what was read of those before."""

    files: DataFiles
    reading: ReadData[T] | None = None
    is_read: bool = False
    is_stored: bool = False


@dataclass(frozen=True, kw_only=True)
class DataSlot(Generic[T]):
    """One kind of own data in the session and in the tab of the browser, under the name `slot`.

    `choice` is the parameter that chooses data, `OWN` among its texts; `linked`, which may be the same one, holds the
    data in a link.
    """

    slot: str
    choice: Parameter | None = None
    linked: HoldsData | None = None

    @property
    def held(self) -> Held[T] | None:
        """The data of the session; None without any."""
        return session_state.uploads().get(self.slot)

    @property
    def reading(self) -> ReadData[T] | None:
        """What was read of them; None without any."""
        return None if self.held is None else self.held.reading

    @property
    def has_content(self) -> bool:
        """Whether the session has something for the page, if only the sentence on why it has no data."""
        return self.reading is not None and self.reading.content is not None

    @property
    def is_stored(self) -> bool:
        """Whether the tab of the browser stores them."""
        return self.held is not None and self.held.is_stored

    @property
    def is_in_link(self) -> bool:
        """Whether the link contains data of this kind."""
        return self.linked is not None and bool(self.linked.data_in(text_of(self.linked)))

    @property
    def is_set_aside(self) -> bool:
        """Whether the link has other data than the session: somebody went back, or edited the link.

        Those of the session are kept, since one step forward the link has none again.
        """
        is_in_link = self.has_content and self.is_in_link
        return is_in_link and self.reading is not None and text_of(self.linked) != self.reading.link_text

    def hold(self, held: Held[T]) -> None:
        """Hold data in the session."""
        session_state.uploads()[self.slot] = held

    def replace_content(self, content: T) -> None:
        """Replace the content by one with more that was computed from the same files."""
        if self.held is not None and self.held.reading is not None:
            self.hold(replace(self.held, reading=replace(self.held.reading, content=content)))

    def clear_link(self, is_obsolete: Callable[[str], bool]) -> None:
        """Take the data out of the link, and obsolete ones out of the links of other pages."""
        if self.linked is not None:
            session_state.set_text(self.linked.key, OWN if self.linked is self.choice else self.linked.default)
            session_state.forget_elsewhere(self.linked.key, is_obsolete)


def text_of(parameter: Parameter | None) -> str:
    """Return the text of a parameter in use; an empty one without a parameter."""
    return "" if parameter is None else session_state.used_texts().get(parameter.key, parameter.default)
