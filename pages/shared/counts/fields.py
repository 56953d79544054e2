"""The field that chooses a table, with a link to the fields for one of the user's own."""

from pages.framework.layout.section import Field, FieldLink
from pages.framework.session.data_files import OWN, box_key
from pages.shared.counts.parameters import TABLE

SLOT = "table"
"""The slot of the user's own table in the tab of the browser."""
OWN_TABLE_BOX = box_key(SLOT)
"""The key of the fields for the user's own table."""
TABLE_LINK = FieldLink("Use my own table", OWN_TABLE_BOX, OWN, SLOT)
TABLE_FIELD = Field(TABLE, "Table", link=TABLE_LINK)
