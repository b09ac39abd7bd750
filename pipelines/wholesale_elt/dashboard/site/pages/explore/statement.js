/**
 * Statement: the SQL of a view, and the command that answers it: those of `wholesale figures`, letter by letter.
 *
 * As in `figures/statement.py`, which says why; metrics, dimensions and tables are told by Python (`statements`).
 */
(() => {
  "use strict";

  const { days, load } = wholesale;
  /** The logarithm of a product that can be taken two million times within 38 digits. */
  const LONGEST = 68;

  const indented = (sql) => sql.replaceAll(/^/gm, "    ");
  const select = (columns, source) => `select\n    ${columns.join(",\n    ")}\n${source}`;
  const literal = (value) => `'${value.replaceAll("'", "''")}'`;
  const date = (day) => `date '${days.text(day)}'`;
  const billionths = (side) => `cast(cast(${side} as decimal(38, 9)) * 1000000000 as hugeint)`;
  const inMillionths = (above, below, signs) =>
    `cast((2000000 * ${above} // nullif(${below}, 0) + ${signs}) // 2 as decimal(38, 0)) * 0.000001`;
  const quotient = (numerator, denominator) =>
    inMillionths(billionths(numerator), billionths(denominator), `sign(${numerator}) * sign(${denominator})`);

  function isOneOf(key, members) {
    const texts = members.filter((member) => member !== null).map(literal);
    const parts = [
      ...(texts.length ? [`cast(${key} as varchar) in (${texts.join(", ")})`] : []),
      ...(members.includes(null) ? [`${key} is null`] : []),
    ];
    return parts.length === 1 ? parts[0] : `(${parts.join(" or ")})`;
  }

  /** What a question is made of: its table, metrics and dimensions with what is told of each. */
  function planned({ metrics, by = [], grain = null, where = {} }, told) {
    const named = (name) => ({ name, ...told.metrics[name] });
    const asked = [...new Set(metrics)].map(named);
    const fact = told.facts[asked[0].table];
    return {
      fact,
      table: asked[0].table,
      metrics: asked,
      counted: [...new Set(asked.flatMap(({ name, parts }) => parts ?? [name]))].map(named),
      dimensions: [...new Set(by)].map((name) => ({ name, ...fact.dimensions[name] })),
      grain,
      where,
    };
  }

  function tablesOf({ fact, table }, dimensions) {
    const wanted = new Set(dimensions.flatMap(({ joins }) => joins));
    return [
      `from ${fact.schema}.${table} as ${fact.alias}`,
      ...Object.entries(fact.joins)
        .filter(([alias]) => wanted.has(alias))
        .map(([alias, join]) => `left join ${join.table} as ${alias} on ${join.on}`),
    ].join("\n");
  }

  /** The columns that tell rows apart, with what people call them or not. */
  function keysOf({ grain, dimensions }, hasTitles) {
    const named = ({ name, title }) => (hasTitles && title ? [name, `${name}_name`] : [name]);
    return [...(grain ? [grain] : []), ...dimensions.flatMap(named)];
  }

  function countedDay({ fact }, span, upTo) {
    const day = `${fact.alias}.${fact.day}`;
    if (span) return span.shift ? `${day} + ${span.shift}` : day;
    return upTo === null ? day : `case when ${day} <= ${date(upTo)} then ${day} end`;
  }

  /** What is counted of the days of a span, a row for each member of the dimensions. */
  function counted(plan, span, upTo, isCompared) {
    const { fact, grain, dimensions, where } = plan;
    const inner = [`${fact.alias}.*`];
    const outer = [];
    if (grain) {
      inner.push(`${countedDay(plan, span, upTo)} as counted_day`);
      outer.push(`cast(date_trunc('${grain}', counted_day) as date) as ${grain}`);
    }
    for (const { name, key, title } of dimensions) {
      inner.push(`${key} as ${name}__key`);
      outer.push(`${name}__key as ${name}`);
      if (title) {
        inner.push(`${title} as ${name}__title`);
        outer.push(`max(${name}__title) as ${name}_name`);
      }
    }
    const filters = Object.keys(where).map((name) => fact.dimensions[name]);
    const dated = span && `${fact.alias}.${fact.day} between ${date(span.first)} and ${date(span.last)}`;
    const conditions = [
      ...(span ? [span.isKnown ? dated : "false"] : []),
      ...Object.entries(where).map(([name, keys]) => isOneOf(fact.dimensions[name].key, keys)),
    ];
    const filtered = conditions.map((condition, place) => `\n${place ? "and" : "where"} ${condition}`).join("");
    const rows = indented(select(inner, tablesOf(plan, [...dimensions, ...filters]) + filtered));
    if (isCompared) outer.push("true as is_there");
    outer.push(...plan.counted.map(({ name, expression }) => `${expression} as ${name}`));
    const grouped = grain || dimensions.length ? "\ngroup by all" : "";
    return select(outer, `from (\n${rows}\n) as counted_rows${grouped}`);
  }

  function orNone({ name, type }, ending, span, isCompared) {
    const own = `counted${ending}.${name}`;
    const value =
      span && !span.isKnown
        ? `cast(null as ${type})`
        : isCompared
          ? `case when counted${ending}.is_there then ${own} else 0 end`
          : own;
    return `${value} as ${name}${ending}`;
  }

  /** What is counted now and before; of what is only in one of them, the other is nothing. */
  function sideBySide(plan, spans) {
    const names = keysOf(plan, true);
    const values = plan.counted.flatMap((metric) =>
      spans.map(([ending, span]) => orNone(metric, ending, span, spans.length > 1)),
    );
    if (spans.length === 1) return select([...names, ...values], "from counted");
    const told = names.map((name) => `coalesce(counted.${name}, counted_before.${name}) as ${name}`);
    const on = keysOf(plan, false)
      .map((name) => `counted.${name} is not distinct from counted_before.${name}`)
      .join(" and ");
    return select([...told, ...values], `from counted\nfull join counted_before on ${on || "true"}`);
  }

  /** The parts of a ratio now and before, in billionths, without the factors that both have. */
  function reduced({ name, parts }) {
    return (parts ?? []).flatMap((part) => {
      const [now, before] = [billionths(part), billionths(`${part}_before`)];
      const side = (value, ending) => `${value} // nullif(gcd(${now}, ${before}), 0) as ${name}_${part}${ending}`;
      return [side(now, ""), side(before, "_before")];
    });
  }

  /** What a value is more than before, as a share of that; from nothing or less there is none. */
  function growth({ name, parts }) {
    const rounded = quotient(`(${name} - ${name}_before)`, `case when ${name}_before > 0 then ${name}_before end`);
    if (!parts) return `${rounded} as ${name}_growth`;
    const [a, b, c, d] = ["", "_before"].flatMap((ending) => parts.map((part) => `${name}_${part}${ending}`));
    const [more, base] = [`(${a} * ${d} - ${c} * ${b})`, `(${c} * ${b})`];
    const exact = inMillionths(more, base, `sign(${more}) * sign(${base})`);
    const length = (one, other) => `ln(greatest(abs(${one}), abs(${other}), 1))`;
    return (
      `case when ${length(a, c)} + ${length(b, d)} >= ${LONGEST} then ${rounded}` +
      ` when sign(${c}) * sign(${d}) > 0 and ${b} <> 0 then ${exact} end as ${name}_growth`
    );
  }

  const valueOf = ({ name, parts }, ending) =>
    parts ? `${quotient(...parts.map((part) => part + ending))} as ${name}${ending}` : `${name}${ending}`;

  /** Whether a part reaches beyond the last day that is over, and how many of its days are asked for and over. */
  function partsSeen(grain, span, upTo) {
    const after = upTo === null ? "true" : `${grain} + interval 1 ${grain} > ${date(upTo)} + 1`;
    const last = span ? span.last : upTo;
    const first = span ? `greatest(${grain}, ${date(span.first)})` : grain;
    const seen =
      last === null
        ? "cast(null as bigint)"
        : `case when ${grain} is not null then` +
          ` least(cast(${grain} + interval 1 ${grain} as date), ${date(last)} + 1) - ${first} end`;
    return [`coalesce(${after}, false) as is_unfinished`, `${seen} as seen_day_count`];
  }

  function shownColumns(plan, spans, upTo) {
    const [first, ...rest] = keysOf(plan, true);
    const keys = plan.grain ? [first, ...partsSeen(plan.grain, spans[0][1], upTo), ...rest] : keysOf(plan, true);
    const values = plan.metrics.flatMap(({ name }) =>
      spans.length === 1
        ? [name]
        : [name, `${name}_before`, `${name} - ${name}_before as ${name}_difference`, `${name}_growth`],
    );
    return [...keys, ...values];
  }

  function rowsOf(plan, spans, upTo) {
    const isCompared = spans.length > 1;
    const parts = spans.map(([ending, span]) => [`counted${ending}`, counted(plan, span, upTo, isCompared)]);
    parts.push(["side_by_side", sideBySide(plan, spans)]);
    const values = plan.metrics.flatMap((metric) => spans.map(([ending]) => valueOf(metric, ending)));
    let source = "side_by_side";
    if (isCompared) {
      values.push(...plan.metrics.map(growth));
      const both = plan.metrics.flatMap(reduced);
      if (both.length) {
        parts.push(["reduced", select(["*", ...both], `from ${source}`)]);
        source = "reduced";
      }
    }
    parts.push(["figures", select([...keysOf(plan, true), ...values], `from ${source}`)]);
    const order = [
      ...(plan.grain ? [plan.grain] : []),
      `${plan.metrics[0].name} desc nulls last`,
      ...plan.dimensions.map(({ name }) => name),
    ];
    const ordered = keysOf(plan, true).length ? `\norder by ${order.join(", ")}` : "";
    const ctes = parts.map(([name, sql]) => `${name} as (\n${indented(sql)}\n)`).join(",\n\n");
    return `with\n\n${ctes}\n\n${select(shownColumns(plan, spans, upTo), "from figures")}${ordered}`;
  }

  /** The statement that `wholesale figures` runs for the rows of a question; `where` has the keys of members. */
  async function of(question) {
    const { figures_from: from, figures_up_to: upTo } = wholesale.meta;
    const { period = days.ALL_TIME, compare = "none" } = question;
    const asked = days.period(period, upTo);
    const isKnown = (first) => from === null || days.isCovered({ first }, from);
    const span = asked.first === undefined ? null : { ...asked, isKnown: isKnown(asked.last) };
    const before = days.compared(asked, compare);
    const spans = [["", span], ...(before ? [["_before", { ...before, isKnown: isKnown(before.first) }]] : [])];
    return rowsOf(planned(question, await load("statements")), spans, upTo === null ? null : days.number(upTo));
  }

  const quoted = (text) => (/^[\w.=:/@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'"'"'`)}'`);

  /** The command line that asks the same. */
  function command({ metrics, by = [], grain = null, period = days.ALL_TIME, compare = "none", where = {} }) {
    const said = [
      ...by.flatMap((name) => ["--by", name]),
      ...(grain ? ["--grain", grain] : []),
      ...(period === days.ALL_TIME ? [] : ["--period", period]),
      ...(compare === "none" ? [] : ["--compare", compare]),
      ...Object.entries(where).flatMap(([name, keys]) => keys.flatMap((key) => ["--where", `${name}=${key ?? ""}`])),
    ];
    return ["wholesale", "figures", ...metrics, ...said].map(quoted).join(" ");
  }

  wholesale.receive("pages/explore/statement", { statement: { of, command } });
})();
