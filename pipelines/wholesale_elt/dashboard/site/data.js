/**
 * Files: scripts that call `wholesale.receive(name, value)`, each read when first needed: data, and pages.
 *
 * Scripts, because a page opened from a folder may not fetch anything else. Data are JSON,
 * deflated, two bytes a letter.
 */
window.wholesale = { theme: window.theme };

(() => {
  "use strict";

  const base = document.documentElement.dataset.base;
  const received = new Map();
  const handed = new Map();
  const loading = new Map();

  function receive(name, value) {
    received.set(name, value);
  }

  /** What a file hands over under a name, packed as it is; fails with one line that says which file is missing. */
  function raw(name, file = `data/${name}.js`, isAlone = true) {
    if (!handed.has(name))
      handed.set(name, received.has(name) ? Promise.resolve(taken(name)) : read(name, file, isAlone));
    return handed.get(name);
  }

  /** The value that a file has under a name. */
  function load(name, file) {
    if (!loading.has(name)) {
      const value = raw(name, file).then(unpacked);
      loading.set(name, value);
      value.catch(() => loading.delete(name));
    }
    return loading.get(name);
  }

  function taken(name) {
    const value = received.get(name);
    received.delete(name);
    return value;
  }

  async function unpacked(value) {
    return typeof value === "string" ? wholesale.columns.unpacked(value) : value;
  }

  /** Scripts that build on each other, read together, and run in this order. */
  const inOrder = (names) => Promise.all(names.map((name) => raw(name, `${name}.js`, false)));

  /** A style sheet, read once. */
  function style(file) {
    if (!handed.has(file)) {
      const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href: base + file });
      handed.set(file, new Promise((done) => ["load", "error"].map((event) => link.addEventListener(event, done))));
      document.head.append(link);
    }
    return handed.get(file);
  }

  /** What a script has that is read when it is first asked for. */
  const later = (name) => load(`later/${name}`, `later/${name}.js`);

  /** The value of a file elsewhere, read anew each time: neither this page nor a cache keeps it. */
  async function readAgain(name, file) {
    return unpacked(await read(name, `${file}?${Date.now()}`));
  }

  function read(name, file, isAlone = true) {
    return new Promise((resolve, reject) => {
      const script = document.createElement("script");
      const fail = () => {
        script.remove();
        handed.delete(name);
        reject(new Error(`${file} cannot be read. Is the publication whole? Reload to try again.`));
      };
      script.src = base + file;
      script.async = isAlone;
      script.addEventListener("load", () => {
        script.remove();
        if (received.has(name)) resolve(taken(name));
        else fail();
      });
      script.addEventListener("error", fail);
      document.head.append(script);
    });
  }

  /** A function from the row of a table to its value in a column. */
  function reader(table, column) {
    const list = wholesale.columns.listOf(table, column);
    return (row) => list[row];
  }

  /** All rows of a table as objects, or these. */
  function rowsOf(table, rows = Array.from({ length: table.length }, (_, row) => row)) {
    const readers = Object.keys(table.columns).map((name) => [name, reader(table, name)]);
    return rows.map((row) => Object.fromEntries(readers.map(([name, valueIn]) => [name, valueIn(row)])));
  }

  Object.assign(wholesale, { base, receive, raw, load, later, inOrder, style, readAgain, reader, rowsOf });
})();
