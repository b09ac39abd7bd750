/** Changed: what became of an order since it was first seen, as each sync found it. */
(() => {
  "use strict";

  const { decimals, format, parts } = wholesale;
  const { LineChange } = parts;
  const { h, Section, Empty } = wholesale.elements;

  /** From what an amount went to what, and by how much; nothing if it stayed. */
  function AmountChange({ event }) {
    const by = event.amount_effect;
    if (by === null || decimals.compare(by, 0) === 0) return null;
    return h`
      Amount <s>${format.amount(event.amount_before)}</s> → <b>${format.amount(event.amount_after)}</b>,${" "}
      <span class=${decimals.compare(by, 0) < 0 ? "down" : "up"}>${format.signed(format.amount)(by)}</span>
    `;
  }

  const KINDS = { edited: "Edited", cancelled: "Cancelled", deleted: "Deleted", reappeared: "It is there again" };

  /** What one sync found: lines, the amount, and fields of the order that are told. */
  function found(at, { events, lines, fields, products }) {
    const event = events.find((each) => each.at === at && KINDS[each.kind]);
    const own = lines.filter((each) => each.at === at);
    const told = fields.filter((each) => each.at === at);
    const isMoved = own.length > 0 || (event && decimals.compare(event.amount_effect ?? 0, 0) !== 0);
    const isBare = own.length === 0 && told.length === 0;
    return {
      at,
      isMoved: Boolean(isMoved),
      content: h`
        ${event && (isBare || event.kind !== "edited") && h`${KINDS[event.kind]}. `}
        ${own.map(
          (line, number) => h`
            <span key=${number}>${number > 0 && "; "}<${LineChange} line=${line} products=${products} /></span>
          `,
        )}
        ${own.length > 0 && ". "}
        ${told.map(
          ({ field, value_before: before, value_after: after }, number) =>
            h`
              ${number > 0 ? ", " : ""}${number ? parts.fieldName(field) : format.word(parts.fieldName(field))}${" "}
              <s dir="auto">${parts.valueText(field, before)}</s> →${" "}
              <b dir="auto">${parts.valueText(field, after)}</b>
            `,
        )}
        ${told.length > 0 && ". "}
        ${event && h`<${AmountChange} event=${event} />`}
      `,
    };
  }

  /** Fields of the order itself that the version before has otherwise: amounts and states are told by events. */
  function fieldsOf({ changes, fields }) {
    const TOLD = ["updated_at", "status", "payment_status", "invoice_status", "sub_total"];
    const at = changes.find(({ line_number: line }) => line === null)?.changed_at;
    return fields
      .filter(({ line_number: line, field }) => line === null && !TOLD.includes(field))
      .map((field) => ({ ...field, at }));
  }

  /** Whether a change of a state is told by the event that it was cancelled. */
  const isCancelling = (step, events) =>
    step.field_name === "order_status" &&
    events.some(({ kind, at }) => kind === "cancelled" && at === step.observed_at);

  /** A change of a state, as it was seen. */
  const seen = (step) => ({
    at: step.observed_at,
    isMoved: false,
    content: h`
      ${format.word(parts.fieldName(step.field_name))} <s>${format.word(step.state_before)}</s> →${" "}
      <b>${format.word(step.state_after)}</b>
    `,
  });

  function entriesOf({ row, steps, history, changes, fields, lines, products }) {
    const all = { ...history, products, fields: fieldsOf({ changes, fields }) };
    const moments = new Set([
      ...all.events.filter(({ kind }) => KINDS[kind]).map(({ at }) => at),
      ...all.lines.map(({ at }) => at),
    ]);
    const amount = all.events.find(({ amount_before: before }) => before !== null)?.amount_before ?? row.amount;
    const count =
      lines.length +
      all.lines.filter(({ kind }) => kind === "removed").length -
      all.lines.filter(({ kind }) => kind === "added").length;
    return [
      ...[...moments].map((at) => found(at, all)),
      ...steps.filter((step) => !isCancelling(step, all.events)).map(seen),
      history.seenAt && {
        at: history.seenAt,
        isMoved: false,
        content: `First seen, ${format.plural(count, "line")}${amount === null ? "" : `, ${format.amount(amount)}`}`,
      },
    ].filter(Boolean);
  }

  /** What changed since an order was first seen; from before that nothing is known. */
  function Changed(props) {
    const { row, history } = props;
    const entries = entriesOf(props);
    const since = history.seenAt
      ? `since it was first seen on ${format.moment(history.seenAt)}`
      : "as seen at each sync";
    return h`<${Section} title="What changed" note=${since}>
      ${
        entries.length > (history.seenAt ? 1 : 0)
          ? h`<${parts.History} entries=${entries} />`
          : h`<${Empty} title="Nothing was seen to change.">
            It was last changed at the service on ${format.moment(row.updated_at)}.
          <//>`
      }
    <//>`;
  }

  wholesale.receive("pages/order/changed", { Changed });
})();
