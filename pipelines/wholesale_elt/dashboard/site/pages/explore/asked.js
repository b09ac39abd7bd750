/** Asked: the SQL of a view and the command line that answers it, to be copied. */
(() => {
  "use strict";

  const { h, useLoaded, Loaded, Section } = wholesale.elements;
  const { Copy } = wholesale.parts;

  function Text({ label, text }) {
    return h`<div class="asked-text">
      <div class="asked-head">
        <h3>${label}</h3>
        <${Copy} text=${() => text}>Copy<//>
      </div>
      <pre tabindex="0" aria-label=${label}><code>${text}</code></pre>
    </div>`;
  }

  /** What answers a question outside of this page: on what was published, with the same figures. */
  function Asked({ question }) {
    const { statement } = wholesale.pieces.explore;
    const of = useLoaded(() => statement.of(question), JSON.stringify(question));
    return h`<${Section} title="The SQL behind this view" note="the same figures, from the published file">
      <${Text} label="Command" text=${statement.command(question)} />
      <${Loaded} of=${of}>${(sql) => h`<${Text} label="SQL" text=${sql} />`}<//>
    <//>`;
  }

  wholesale.receive("pages/explore/asked", { Asked });
})();
