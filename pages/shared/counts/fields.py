"""The field that chooses a table, with a link to the fields for one of the user's own."""

from pages.framework.layout.section import Field, FieldLink
from pages.shared.counts.parameters import TABLE

OWN = "own"
"""The option of the parameter `table` that is the user's own table."""
OWN_TABLE_BOX = "own_table_box"
"""The key of the fields for the user's own table."""
SLOT = "table"
"""The slot of the user's own table in the tab of the browser."""
TABLE_LINK = FieldLink("Use my own table", OWN_TABLE_BOX, OWN, SLOT)
TABLE_FIELD = Field(TABLE, "Table", link=TABLE_LINK)
