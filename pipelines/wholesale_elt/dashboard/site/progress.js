/** Progress: what stands in the place of figures that are on their way. */
(() => {
  "use strict";

  const { html: h, useState, useEffect } = window.htmPreact;
  const { format } = wholesale;
  /** Milliseconds between two drawings. */
  const OFTEN = 150;

  /** How far the counting of months is; and what else there is, for those who have waited for some seconds. */
  function Progress({ done, of }) {
    if (of < 2 || done >= of) return null;
    return h`<div class="counting">
      <p class="quiet" role="status">${`${format.count(done)} of ${format.plural(of, "month")} counted`}</p>
      <div class="counted" role="progressbar" aria-label="Months counted" aria-valuemin="0" aria-valuemax=${of}
          aria-valuenow=${done}>
        <i style=${{ width: `${((done / of) * 100).toFixed(1)}%` }}></i>
      </div>
      <p class="quiet beyond">
        There is much to count here. The commands “wholesale figures” and “wholesale sql” read the same.
      </p>
    </div>`;
  }

  /** The same of what goes on, drawn a few times a second: months are often counted faster. */
  function Followed({ progress }) {
    const [now, set] = useState(null);
    useEffect(() => {
      const timer = setInterval(() => set(progress.now), OFTEN);
      return () => clearInterval(timer);
    }, []);
    return now && h`<${Progress} ...${now} />`;
  }

  /** Rows on their way, as high as those that come. */
  function Bones({ rows }) {
    return h`<div class="bones" aria-hidden="true">
      ${Array.from({ length: rows }, (_, place) => h`<div key=${place}><i></i><i></i></div>`)}
    </div>`;
  }

  Object.assign(wholesale, { Followed, Progress, Bones });
})();
