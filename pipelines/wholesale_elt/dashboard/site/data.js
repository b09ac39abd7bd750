/**
 * Data files: scripts that call `wholesale.receive(name, value)`, each read when first needed.
 *
 * Scripts, because a page opened from a folder may not fetch anything else.
 */
window.wholesale = { pages: {} };

(() => {
  "use strict";

  const base = document.documentElement.dataset.base;
  const received = new Map();
  const loading = new Map();

  /** Rows kept by column; a column of repeated texts is `{values, codes}`. Of `total` rows some may be cut. */
  class Table {
    constructor({ length, total = length, columns }) {
      this.length = length;
      this.total = total;
      this.columns = columns;
    }

    /** A function from row number to the value in this column. */
    reader(column) {
      const stored = this.columns[column];
      if (stored === undefined) throw new Error(`the data has no column ${column}`);
      if (Array.isArray(stored)) return (row) => stored[row];
      const { values, codes } = stored;
      return (row) => (codes[row] === null ? null : values[codes[row]]);
    }

    /** Rows as objects; with `test`, those for which it holds. */
    rows(test = () => true) {
      const readers = Object.keys(this.columns).map((name) => [name, this.reader(name)]);
      const found = [];
      for (let row = 0; row < this.length; row += 1) {
        const values = {};
        for (const [name, valueIn] of readers) values[name] = valueIn(row);
        if (test(values)) found.push(values);
      }
      return found;
    }
  }

  function receive(name, value) {
    received.set(name, value);
  }

  /** The value of a data file; fails with one line that says which file is missing. */
  function load(name) {
    if (!loading.has(name)) loading.set(name, received.has(name) ? taken(name) : read(name));
    return loading.get(name);
  }

  async function taken(name) {
    return received.get(name);
  }

  /** The same of a file elsewhere, read anew each time: neither this page nor a cache keeps it. */
  function readAgain(name, path) {
    release(name);
    return read(name, `${path}?${Date.now()}`);
  }

  function read(name, path = `${base}data/${name}.js`) {
    return new Promise((resolve, reject) => {
      const script = document.createElement("script");
      const fail = () => {
        script.remove();
        loading.delete(name);
        reject(new Error(`data/${name}.js cannot be read. Is the publication whole? Reload to try again.`));
      };
      script.src = path;
      script.addEventListener("load", () => {
        script.remove();
        if (received.has(name)) resolve(received.get(name));
        else fail();
      });
      script.addEventListener("error", fail);
      document.head.append(script);
    });
  }

  /** Lets go of a file, so that months of orders do not pile up in memory. */
  function release(name) {
    received.delete(name);
    loading.delete(name);
  }

  Object.assign(wholesale, { base, Table, receive, load, readAgain, release });
})();
