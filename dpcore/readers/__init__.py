"""Files that people bring, read: tables of counts, points, road graphs, results of attacks, points of a curve, numbers
of people, sums of cells, columns of any file, Adult.

One reader opens every text file (`csv_file`); what a file cannot be read for is a `ValueError` with one sentence that
names the line, the column and the reason. All public names stand here.
"""

from dpcore.readers.adult import ADULT_ADDRESS, MOST_ADULT_BYTES, download_adult, read_adult
from dpcore.readers.attack import read_attack, read_curve_points
from dpcore.readers.csv_file import MOST_BYTES, MOST_ROWS
from dpcore.readers.file_columns import COLUMN_TYPES, FileColumn, FileColumns, RowCounts, count_rows, read_columns
from dpcore.readers.number_columns import DECIMAL_MARKS, AmbiguousNumberError, decimal_readings
from dpcore.readers.people import PersonCandidate
from dpcore.readers.points import PointColumns, Points, point_columns, read_points
from dpcore.readers.problems import MOST_PROBLEMS, TableProblem, countable_columns, table_problems
from dpcore.readers.records import MOST_CELLS
from dpcore.readers.roads import MOST_EDGES, MOST_NODES, NodeCounts, RoadGraph, read_graph, read_node_counts
from dpcore.readers.table_layout import TABLE_KINDS
from dpcore.readers.table_repairs import REPAIRS
from dpcore.readers.tables import ReadTable, read_table
from dpcore.readers.values import MOST_SUMMED, MOST_SUMS, PersonValues, ReadSums, read_sums, read_values

__all__ = [
    "ADULT_ADDRESS",
    "COLUMN_TYPES",
    "DECIMAL_MARKS",
    "MOST_ADULT_BYTES",
    "MOST_BYTES",
    "MOST_CELLS",
    "MOST_EDGES",
    "MOST_NODES",
    "MOST_PROBLEMS",
    "MOST_ROWS",
    "MOST_SUMMED",
    "MOST_SUMS",
    "REPAIRS",
    "TABLE_KINDS",
    "AmbiguousNumberError",
    "FileColumn",
    "FileColumns",
    "NodeCounts",
    "PersonCandidate",
    "PersonValues",
    "PointColumns",
    "Points",
    "ReadSums",
    "ReadTable",
    "RoadGraph",
    "RowCounts",
    "TableProblem",
    "count_rows",
    "countable_columns",
    "decimal_readings",
    "download_adult",
    "point_columns",
    "read_adult",
    "read_attack",
    "read_columns",
    "read_curve_points",
    "read_graph",
    "read_node_counts",
    "read_points",
    "read_sums",
    "read_table",
    "read_values",
    "table_problems",
]
