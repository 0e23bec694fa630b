"""Points without coordinates in a scene file: ``words``, or ``gram`` with the names of its rows."""

from __future__ import annotations

from collections.abc import Mapping

from solvers import BadInput
from solvers.data.coordinates import MAX_COORDINATE
from solvers.data.items import MAX_ITEMS, Items, matrix_items, words_of
from svmviz.base.strict_json import Node, json_text
from svmviz.document.document import Document

# The members that can take the place of ``points``.
ITEM_KEYS = ("words", "gram")
# Members that need points with coordinates, and must be absent or null for others.
PLANE_KEYS = ("split", "line")


def write_items(items: Items) -> str:
    """Return the text of the member ``words``, or of ``gram`` and ``names``."""
    names = ", ".join(map(json_text, items.names))
    if items.K is None:
        return f'  "words": [{names}]'
    rows = ",\n".join(f"    {row!r}" for row in items.K.tolist())
    return f'  "gram": [{f"{chr(10)}{rows}{chr(10)}  " if rows else ""}],\n  "names": [{names}]'


def read_items(nodes: Mapping[str, Node]) -> Items | None:
    """Read the items from the members of the outermost object; None if it has points."""
    found = [key for key in ITEM_KEYS if key in nodes]
    if "names" in nodes and "gram" not in nodes:
        nodes["names"].fail("are those of a matrix, gram, which is missing.")
    if not found:
        return None
    node = nodes[found[0]]
    for other in ("points", *ITEM_KEYS):
        if other in nodes and other != found[0]:
            node.fail(f"and {other} cannot both be given.")
    count = len(node.items())
    if count > MAX_ITEMS:
        node.fail(f"has {count:,} items; at most {MAX_ITEMS} are possible.")
    try:
        if found[0] == "words":
            return words_of([word.text() for word in node])
        what = f"a list of {count} numbers, one per row of the matrix"
        matrix = node.rows(count, what, MAX_COORDINATE)
        return matrix_items(matrix, _names(nodes, count))
    except BadInput as error:
        if str(error).startswith(node.source):
            raise
        node.fail(f"cannot be used: {error}")


def check_item_model(nodes: Mapping[str, Node], document: Document) -> None:
    """Refuse members that do not fit the points: another kernel, a split, a line, a scaling."""
    if "kernel" in nodes:
        kernel = document.kernel.name
        if nodes["kernel"].at("name").value != kernel:
            nodes["kernel"].at("name").fail(
                f'cannot compare the points of this scene; a kernel that can is "{kernel}".'
            )
    if document.has_coordinates:
        return
    for key in PLANE_KEYS:
        if key in nodes and nodes[key].value is not None:
            nodes[key].fail("needs points with coordinates.")
    for lane in nodes.get("lanes", ()):
        if "kernel" in lane.value:
            lane.at("kernel").fail("needs points with coordinates.")
    for key, only in (("task", "classification"), ("scaling", "none")):
        if key in nodes and nodes[key].value != only:
            nodes[key].must_be(f'"{only}" for points without coordinates')


def _names(nodes: Mapping[str, Node], count: int) -> list[str]:
    if "names" not in nodes:
        return []
    nodes["names"].items(count, f"a list of {count} names, one per row of the matrix")
    return [" ".join(name.text().split()) or str(k + 1) for k, name in enumerate(nodes["names"])]
