/** Layout: what pages consist of besides charts and tables: two columns, pairs, a button that copies, the foot. */
(() => {
  "use strict";

  const { format } = wholesale;
  const { h, useState, useEffect, Icon } = wholesale.elements;

  /** Two columns, the second one at the side if there is room. */
  function Beside({ children, side }) {
    return h`<div class="beside"><div>${children}</div><div>${side}</div></div>`;
  }

  /** Names with their values, one below the other. */
  function Pairs({ rows }) {
    return h`<dl class="pairs">
      ${rows
        .filter(Boolean)
        .map(
          ([name, value, style]) =>
            h`<div key=${name} class=${style}><dt>${name}</dt><dd dir="auto">${value}</dd></div>`,
        )}
    </dl>`;
  }

  function Unknown({ children }) {
    return h`<span class="unknown">${children ?? "not known"}</span>`;
  }

  /** Into the clipboard, which a page of a plain address has only by way of a field. */
  async function written(text) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const field = Object.assign(document.createElement("textarea"), { value: text });
      document.body.append(field);
      field.select();
      document.execCommand("copy");
      field.remove();
    }
  }

  /** A button that copies a text, and says so; `note` tells more of it once it is copied. */
  function Copy({ text, note, children }) {
    const [isCopied, set] = useState(false);
    const copy = () => written(text()).then(() => set(true));
    useEffect(() => {
      if (!isCopied) return undefined;
      const timer = setTimeout(() => set(false), note ? 10_000 : 2_000);
      return () => clearTimeout(timer);
    }, [isCopied]);
    return h`<span class="copy">
      <button type="button" class="pick" onClick=${copy}>
        <${Icon} name="link" />
        <span aria-live="polite">${isCopied ? "Copied" : children}</span>
      </button>
      ${isCopied && note && h`<span class="copied" role="status">${note}</span>`}
    </span>`;
  }

  /** A button that copies the address of what is shown; from a disk it says what can be sent. */
  function CopyLink() {
    const isOfDisk = location.protocol === "file:";
    return h`<${Copy} text=${() => location.href}
        note=${
          isOfDisk &&
          "This link opens on this computer alone. To show this to others, send the folder “published”, or put it on " +
            "a " +
            "web server and copy the link there."
        }>
      Copy link
    <//>`;
  }

  /** What stands below everything else: how whole the page is; `aside` stands at its right. */
  function Foot({ children, aside }) {
    const { verdict, currency, last_ordered_date: last } = wholesale.meta;
    const isWell = verdict === "complete" && wholesale.age.isFresh();
    const isUnset = currency === "XXX" && last !== null;
    return h`<p class="foot-line">
      <i class=${isWell ? "dot" : "dot partial"} aria-hidden="true"></i>
      <span>
        ${format.word(verdict)}. ${isUnset && "Amounts have no currency yet. "}${children}
      </span>
      ${aside && h`<span class="push">${aside}</span>`}
    </p>`;
  }

  Object.assign(wholesale.parts, { Beside, Pairs, Unknown, Copy, CopyLink, Foot });
})();
