"""Pictures: the files of the products' pictures, if they are fetched, by the part that has them."""

from collections.abc import Callable, Set
from pathlib import Path

import duckdb

from wholesale_elt.dashboard.columnar import Json
from wholesale_elt.dashboard.contents.objects import PARTS_OF_PRODUCTS
from wholesale_elt.dashboard.scripts import write_data
from wholesale_elt.pictures import Bounds, fetch_pictures

PICTURES = "pictures"
"""The folder of the files, and of a data file for each part of the products."""
MOST_OF_ONE = 8
"""Pictures of one product."""
ADDRESSES = f"""
    with numbered as (
        select
            images.url,
            images.item_id,
            row_number() over (
                partition by images.item_id
                order by images.image_position nulls last, images.item_image_id
            ) as number
        from wholesale_marts.dim_item_images as images
        where not images.is_deleted and images.url is not null
    ),
    items as (
        select catalogue.item_id, max(parts.part) as part, sum(catalogue.sales_amount) as sales
        from wholesale_bi.rpt_catalogue as catalogue
        inner join ({PARTS_OF_PRODUCTS}) as parts using (product_id)
        where catalogue.item_id is not null
        group by catalogue.item_id
    )
    select items.part, numbered.url
    from numbered
    inner join items using (item_id)
    where numbered.number <= {MOST_OF_ONE}
    order by numbered.number, items.sales desc nulls last, numbered.item_id
"""
Take = Callable[[Set[str], str], bool]


def write_pictures(
    connection: duckdb.DuckDBPyConnection, data: Path, bounds: Bounds, take: Take
) -> Json:
    """Fetch the pictures of the products that are published, but for those that `take` has put
    there; say how many there are, and why others are not."""
    folder = data / PICTURES
    take(frozenset(), PICTURES)
    rows = connection.sql(ADDRESSES).fetchall()
    found = fetch_pictures([url for _, url in rows], folder, bounds)
    parts: dict[int, dict[str, Json]] = {}
    for part, url in rows:
        if file := found.files.get(url):
            parts.setdefault(part, {})[url] = {
                "file": file.name,
                "width": file.width,
                "height": file.height,
            }
    for part, files in parts.items():
        write_data(data, f"{PICTURES}/{part}", files)
    return {
        "count": len(found.files),
        "failed": sum(found.failed.values()),
        "left_out": found.left_out,
        "reasons": [[reason, count] for reason, count in found.failed.most_common()],
        "parts": sorted(parts),
    }
