/**
 * Engine: counts jobs month by month, in a worker, so that the page stays free; on the page itself, with a pause after
 * each month, where no worker can be made.
 *
 * A page from a disk can read files only as scripts, and only a page can read scripts: so it reads their texts, and
 * passes them on as they are.
 */
(() => {
  "use strict";

  const { count, raw } = wholesale;
  const given = new Map();
  const waiting = new Map();
  let ids = 0;
  let started = null;

  const pause = () => new Promise((resolve) => setTimeout(resolve));

  /** Counts on the page itself. */
  function onThePage() {
    const act = count.counter();
    return async (told) => {
      await pause();
      heard(await act(told));
    };
  }

  /** What came of what a counter was told. */
  function heard(answer) {
    if (answer?.id !== undefined) waiting.get(answer.id)?.(answer);
  }

  /** A worker made of the texts of its functions, as a page from a disk can have no other; or the page itself. */
  function begin() {
    return new Promise((resolve) => {
      try {
        const act = "onmessage = ({ data }) => act(data).then(postMessage); postMessage({ id: 0 });";
        const source = `"use strict";\n${count.source}\nconst act = counter();\n${act}`;
        const worker = new Worker(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
        worker.addEventListener("error", () => {
          resolve(onThePage());
          for (const id of waiting.keys()) heard({ id, error: "Counting stopped. Reload to try again." });
        });
        worker.addEventListener("message", ({ data }) => {
          heard(data);
          resolve((told) => worker.postMessage(told, []));
        });
      } catch {
        resolve(onThePage());
      }
    });
  }

  /** Hands a data file over, once. */
  function give(tell, name) {
    if (!given.has(name)) {
      const done = raw(name).then((value) => tell({ act: "put", name, value }));
      given.set(name, done);
      done.catch(() => given.delete(name));
    }
    return given.get(name);
  }

  /**
   * What a job has counted, of `months`: `{start, names}`, `names` being the data files that it needs by what they are.
   *
   * `follow(done, of)` is told after each month.
   */
  async function run(job, months, follow = () => {}) {
    started ??= begin();
    const tell = await started;
    const id = (ids += 1);
    let done = 0;
    return new Promise((resolve, reject) => {
      const end = (settle, value) => {
        waiting.delete(id);
        settle(value);
      };
      waiting.set(id, ({ error, found }) => {
        if (error) end(reject, new Error(error));
        else if (found) end(resolve, found);
        else follow((done += 1), months.length);
      });
      tell({ act: "begin", id, job });
      (async () => {
        for (const { start, names } of months) {
          await Promise.all(Object.values(names).map((name) => give(tell, name)));
          if (!waiting.has(id)) return;
          tell({ act: "month", id, start, names });
        }
        tell({ act: "finish", id });
      })().catch((error) => end(reject, error));
    });
  }

  wholesale.engine = { run };
})();
