"""Data of a session from which a report item is made and which no link contains."""

from dataclasses import dataclass

from pages.framework.rendering.uploaded_files import NO_UPLOADS, UploadedFiles


@dataclass(frozen=True)
class ItemData:
    """The uploads of a page, and those texts of its parameters that are too long for the link of a report."""

    uploads: UploadedFiles = NO_UPLOADS
    entries: tuple[tuple[str, str], ...] = ()

    @property
    def n_bytes(self) -> int:
        """Return the approximate bytes of the data."""
        return len(self.uploads.packed) + sum(len(entry) for _, entry in self.entries)
