"""What does not fit on a page, as a browser has laid it out."""

from playwright.sync_api import Page

WIDTHS = (390, 768, 900, 1024, 1280, 1440, 1920)

_MEASURE = """() => {
    const found = [];
    const wide = document.documentElement.clientWidth;
    const name = (one) => `${one.tagName.toLowerCase()}.${String(one.className.baseVal
        ?? one.className).trim().replaceAll(/\\s+/g, ".")} ${one.textContent.trim()
        .replaceAll(/\\s+/g, " ").slice(0, 60)}`;
    const unseen = new Set([...document.querySelectorAll("#app *")].filter((one) =>
        getComputedStyle(one).clipPath.startsWith("inset(50%")));
    const isSeen = (one) => {
        if (!one.checkVisibility({ visibilityProperty: true })) return false;
        for (let at = one; at; at = at.parentElement) if (unseen.has(at)) return false;
        return true;
    };
    const meet = (one, other, room = 1) =>
        Math.min(one.right, other.right) - Math.max(one.left, other.left) > room &&
        Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > room;
    const boxes = (all) => [...all].filter(isSeen).map((one) => [one, one.getBoundingClientRect()]);
    const apart = (kind, all, room) => all.forEach(([one, box], place) => {
        for (const [other, its] of all.slice(place + 1))
            if (box.width && its.width && meet(box, its, room))
                found.push([kind, name(one), name(other)]);
    });
    if (document.documentElement.scrollWidth > wide + 1) found.push(["page scrolls sideways"]);
    for (const one of document.querySelectorAll("#app *")) {
        if (one.closest("svg") || !one.clientWidth) continue;
        const box = one.getBoundingClientRect();
        if (box.right > wide + 1 && isSeen(one)) found.push(["beyond the window", name(one)]);
        if (one.clientWidth > 1 && one.scrollWidth > one.clientWidth + 1
            && getComputedStyle(one).overflowX !== "visible" && one.textContent.trim()
            && isSeen(one)) found.push(["cut", name(one)]);
    }
    const texts = document.createTreeWalker(document.getElementById("app"), NodeFilter.SHOW_TEXT);
    for (let text; (text = texts.nextNode());) {
        const inside = text.parentElement.closest("td, th, .tile, .page li, dd, dt");
        if (!inside || !text.data.trim() || text.parentElement.closest("svg")) continue;
        const range = document.createRange();
        range.selectNodeContents(text);
        const around = inside.getBoundingClientRect();
        const out = [...range.getClientRects()].some((box) => box.width &&
            (box.right > around.right + 1.5 || box.left < around.left - 1.5));
        if (out && around.width > 1 && isSeen(text.parentElement))
            found.push(["out of its cell", name(text.parentElement)]);
    }
    for (const chart of document.querySelectorAll("#app .chart svg")) {
        const around = chart.getBoundingClientRect();
        const drawn = boxes(chart.querySelectorAll("text"));
        for (const [one, box] of drawn)
            if (box.width && (box.right > around.right + 2 || box.left < around.left - 2
                || box.top < around.top - 3 || box.bottom > around.bottom + 3))
                found.push(["outside its chart", name(one)]);
        apart("texts overlap", drawn, 3);
        const bars = boxes(chart.querySelectorAll(".bar-now, .bar-before, .bar-window"));
        for (const [one, box] of boxes(chart.querySelectorAll(".written .strong, .written .soft")))
            for (const [bar, its] of bars)
                if (its.height && meet(box, its, 1.5)) found.push(["text over a bar", name(one)]);
    }
    for (const tiles of document.querySelectorAll("#app :is(.tiles, .quad)"))
        apart("tiles overlap", boxes(tiles.children));
    for (const tiles of document.querySelectorAll("#app .tiles")) {
        const all = boxes(tiles.querySelectorAll(".tile"));
        for (const [one, box] of all) {
            const has = (side) => parseFloat(getComputedStyle(one)[`border${side}Width`]) > 0;
            const beside = all.some(([, its]) => its.right < box.left + 2 && its.top < box.bottom
                && its.bottom > box.top);
            if (has("Left") !== beside) found.push(["line beside a tile", name(one)]);
            if (has("Top") !== all.some(([, its]) => its.bottom < box.top + 2))
                found.push(["line above a tile", name(one)]);
        }
    }
    for (const table of document.querySelectorAll("#app .table table")) {
        const tracks = boxes(table.querySelectorAll("tbody tr:not(.totals) .bar-track"));
        const ends = tracks.flatMap(([, box]) => [box.right]);
        if (Math.max(...ends) - Math.min(...ends) > 1) found.push(["bars end apart", name(table)]);
    }
    const ruler = document.createElement("span");
    ruler.style.cssText = "position: absolute; visibility: hidden; width: 18ch";
    for (const row of document.querySelectorAll("#app .table tbody tr")) {
        const cells = boxes(row.children);
        if (!cells.length) continue;
        apart("cells overlap", cells);
        const bar = row.querySelector(".bar-track");
        const [named, box] = cells.find(([one]) => one.classList.contains("in-name")) ?? [];
        if (!named || !bar || !isSeen(bar)) continue;
        ruler.style.font = getComputedStyle(named).font;
        document.body.append(ruler);
        if (box.width < ruler.getBoundingClientRect().width - 1)
            found.push(["narrow name", name(named)]);
    }
    ruler.remove();
    return found;
}"""


def faults(page: Page) -> list[tuple[str, ...]]:
    """What is cut, beyond an edge, or covered: its kind, and what it is of.

    Texts of cells, tiles and charts must stand within them, a name beside a bar has room for 18
    letters, and nothing may need to be scrolled to sideways. What is only read aloud is left out.
    """
    return [tuple(fault) for fault in page.evaluate(_MEASURE)]
