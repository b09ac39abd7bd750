/** Columns: data files as they were written: unpacked, and each column as a list. A worker has these functions, too. */
(() => {
  "use strict";

  /** The value of a data file: JSON, deflated, two bytes a letter, as `scripts.py` writes it. */
  async function unpacked(text) {
    const [mark, firstBit] = [0xf8ff, 0x8000];
    const pairs = new Uint16Array(text.length);
    let size = 0;
    for (let place = 1; place < text.length; place += 1) {
      const letter = text.charCodeAt(place);
      pairs[size] = letter === mark ? text.charCodeAt((place += 1)) ^ firstBit : letter;
      size += 1;
    }
    const bytes = new Uint8Array(pairs.buffer, 0, 2 * size - Number(text[0]));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return JSON.parse(await new Response(stream).text());
  }

  /** A column as a list, whose forms `columnar.py` tells; what it had to work out it keeps. */
  function listOf(table, name) {
    const stored = table.columns[name];
    if (stored === undefined) throw new Error(`the data has no column ${name}`);
    if (Array.isArray(stored)) return stored;
    const { values, codes, guids, further, moments } = stored;
    const list = [];
    if (codes) for (const code of codes) list.push(code === null ? null : values[code]);
    else if (further) for (const step of further) list.push((list.at(-1) ?? 0) + step);
    else if (moments) {
      let seconds = 0;
      for (const step of moments) list.push(new Date(1000 * (seconds += step)).toISOString().replace(".000Z", "Z"));
    } else
      for (let at = 0; at < guids.length; at += 32)
        list.push(guids.slice(at, at + 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-"));
    table.columns[name] = list;
    return list;
  }

  wholesale.columns = { listOf, unpacked };
})();
