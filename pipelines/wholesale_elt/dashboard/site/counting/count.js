/**
 * Count: adds up rows of months by group. In whole columns, with groups as small numbers.
 *
 * These functions run in a worker, to which their texts are given, or where there is none on the page itself: they use
 * nothing but each other. A job is plain data, as `counting/jobs.js` writes it; a table is a data file as it was read.
 */
(() => {
  "use strict";

  const { listOf, unpacked } = wholesale.columns;

  /** What a job has counted so far: a place for each group that occurred, by its number. */
  function begun(job) {
    return {
      job,
      places: job.isDense ? new Int32Array(job.groups).fill(-1) : new Map(),
      numbers: [],
      ordersBefore: 0,
      kinds: job.isLines ? ofKinds(job) : null,
      measures: job.measures.map((measure) => ({ groups: emptySums(measure), total: emptySums(measure) })),
    };
  }

  function emptySums({ counts, isLarge, words }) {
    if (counts === "orders") return { counts: new Float64Array(1), last: new Float64Array(1) };
    if (counts) return { counts: new Float64Array(1), bits: words ? new Uint32Array(words) : null, pairs: new Set() };
    return { sums: isLarge ? [0n] : new Float64Array(1), known: new Uint8Array(1), unknown: new Uint8Array(1) };
  }

  /** The share of each kind of lines in the number of a group; -1 for a kind that is left out. */
  function ofKinds({ kinds, dimensions, filters }) {
    const found = new Float64Array(kinds);
    for (const { codes, wanted } of filters.filter((each) => each.codes)) {
      const passes = new Set(wanted);
      for (let kind = 0; kind < kinds; kind += 1) if (!passes.has(codes[kind])) found[kind] = -1;
    }
    for (const { codes, stride } of dimensions.filter((each) => each.codes))
      for (let kind = 0; kind < kinds; kind += 1) if (found[kind] >= 0) found[kind] += (codes[kind] + 1) * stride;
    return found;
  }

  /** The share of each order of a month in the number of a group; -1 for one that is left out. */
  function ofOrders({ span, parts, dimensions, filters }, { start, tables }) {
    const date = listOf(tables.orders, "day");
    const found = new Float64Array(tables.orders.length);
    for (let place = 0; place < found.length; place += 1) {
      const day = start === null || date[place] === null ? null : start + date[place];
      if (span && (day === null || day < span.first || day > span.last)) found[place] = -1;
      else if (parts && day !== null) found[place] = ((parts.of[day - parts.base] ?? -1) + 1) * parts.stride;
    }
    for (const { file, name, codes, wanted } of filters) {
      if (codes) continue;
      const [code, passes] = [listOf(tables[file], name), new Set(wanted)];
      for (let place = 0; place < found.length; place += 1) if (!passes.has(code[place] ?? -1)) found[place] = -1;
    }
    for (const { file, name, codes, stride } of dimensions) {
      if (codes) continue;
      const code = listOf(tables[file], name);
      for (let place = 0; place < found.length; place += 1)
        if (found[place] >= 0) found[place] += ((code[place] ?? -1) + 1) * stride;
    }
    return found;
  }

  /** The order of each line of a month, by its place there. */
  function placesOf(lines) {
    const further = listOf(lines, "further");
    const places = new Int32Array(lines.length);
    for (let line = 0, at = 0; line < places.length; line += 1) places[line] = at += further[line];
    return places;
  }

  /** The place of a group of this number. */
  function placeOf(state, number) {
    const known = state.job.isDense ? state.places[number] : (state.places.get(number) ?? -1);
    if (known >= 0) return known;
    const place = state.numbers.push(number) - 1;
    if (state.job.isDense) state.places[number] = place;
    else state.places.set(number, place);
    return place;
  }

  /** The place of the group of each row of a month; -1 for one that is left out. */
  function groupsOf(state, month, places) {
    const own = ofOrders(state.job, month);
    const kind = places && listOf(month.tables.lines, "kind");
    const groups = new Int32Array(places ? places.length : own.length);
    for (let row = 0; row < groups.length; row += 1) {
      const ofOrder = places ? own[places[row]] : own[row];
      const ofKind = places ? state.kinds[kind[row]] : 0;
      groups[row] = ofOrder < 0 || ofKind < 0 ? -1 : placeOf(state, ofOrder + ofKind);
    }
    return groups;
  }

  /** The same with room for so many. */
  function grown(list, size) {
    if (list.length >= size) return list;
    if (Array.isArray(list)) {
      while (list.length < size) list.push(0n);
      return list;
    }
    const larger = new list.constructor(Math.max(size, 2 * list.length));
    larger.set(list);
    return larger;
  }

  /** Adds the values of rows to their groups; null adds nothing, and may be a value that is not known. */
  function addSums(into, groups, size, values, unknowns) {
    into.sums = grown(into.sums, size);
    into.known = grown(into.known, size);
    into.unknown = grown(into.unknown, size);
    const { sums, known, unknown } = into;
    const isLarge = Array.isArray(sums);
    for (let row = 0; row < groups.length; row += 1) {
      const group = groups[row];
      if (group < 0) continue;
      const value = values[row];
      if (value === null) {
        if (unknowns && unknowns[row] === 1) unknown[group] = 1;
        continue;
      }
      sums[group] += isLarge ? BigInt(value) : value;
      known[group] = 1;
    }
  }

  /** Counts the different orders of each group: the lines of one stand together. */
  function addOrders(into, groups, size, values, orders) {
    into.counts = grown(into.counts, size);
    into.last = grown(into.last, size);
    const { counts, last } = into;
    for (let row = 0; row < groups.length; row += 1) {
      const group = groups[row];
      if (group < 0 || values[row] !== 1 || last[group] === orders[row]) continue;
      last[group] = orders[row];
      counts[group] += 1;
    }
  }

  /** Counts the different members of each group: a bit for each, or if these were too many a set of those that are. */
  function addMembers(into, groups, size, values, members, { words, members: all }) {
    into.counts = grown(into.counts, size);
    if (into.bits) into.bits = grown(into.bits, size * words);
    const { counts, bits, pairs } = into;
    for (let row = 0; row < groups.length; row += 1) {
      const group = groups[row];
      if (group < 0 || values[row] !== 1) continue;
      const member = members[row];
      if (bits) {
        const [word, bit] = [group * words + (member >>> 5), 1 << (member & 31)];
        if (bits[word] & bit) continue;
        bits[word] |= bit;
      } else {
        const pair = group * all + member;
        if (pairs.has(pair)) continue;
        pairs.add(pair);
      }
      counts[group] += 1;
    }
  }

  /** What each row adds to a measure; some are told by what they have more than another one. */
  function valuesOf({ name, table, base }, tables) {
    const values = listOf(tables[table], name);
    if (!base) return values;
    const others = listOf(tables[base.table], base.name);
    const found = [];
    for (let row = 0; row < values.length; row += 1)
      found.push(values[row] === null ? null : values[row] + (others[row] ?? 0));
    return found;
  }

  /** What of each row is counted: its order, or a member that its order or its kind has. */
  function countedOf(state, { counts, file, codes }, { tables }, places) {
    const of = codes ? listOf(tables.lines, "kind") : places;
    const size = of ? of.length : tables.orders.length;
    const found = new Float64Array(size);
    if (counts === "orders") {
      const from = state.ordersBefore + 1;
      for (let row = 0; row < size; row += 1) found[row] = from + (of ? of[row] : row);
      return found;
    }
    const code = codes ?? listOf(tables[file], counts);
    for (let row = 0; row < size; row += 1) found[row] = code[of ? of[row] : row] ?? 0;
    return found;
  }

  /** Counts a month: `{start, tables}`, `start` being the day before its first, null for what has no date. */
  function countMonth(state, month) {
    const { job } = state;
    const places = job.isLines ? placesOf(month.tables.lines) : null;
    const groups = groupsOf(state, month, places);
    const size = job.groups > 1 ? state.numbers.length : 1;
    const all = job.groups > 1 ? groups.map((group) => (group < 0 ? -1 : 0)) : null;
    job.measures.forEach((measure, number) => {
      const table = month.tables[measure.table];
      const values = valuesOf(measure, month.tables);
      const unknowns = measure.hasUnknown ? listOf(table, `${measure.name}_unknown`) : null;
      const counted = measure.counts ? countedOf(state, measure, month, places) : null;
      const { groups: ofGroups, total } = state.measures[number];
      if (!counted) return addSums(ofGroups, groups, size, values, unknowns);
      const add = measure.counts === "orders" ? addOrders : addMembers;
      add(ofGroups, groups, size, values, counted, measure);
      if (all) add(total, all, 1, values, counted, measure);
    });
    state.ordersBefore += month.tables.orders.length;
  }

  /** What sums of groups come to; numbers of different members do not add up, and are counted. */
  function summed({ sums, known, unknown }) {
    const add = (sum, each) => sum + each;
    return {
      sums: [sums.reduce(add, Array.isArray(sums) ? 0n : 0)],
      known: [Number(known.includes(1))],
      unknown: [Number(unknown.includes(1))],
    };
  }

  /** What a job has counted: the numbers of its groups, and for each measure what these have, and all. */
  function finished({ job, numbers, measures }) {
    const size = Math.max(1, numbers.length);
    const plain = ({ counts, sums, known, unknown }) =>
      counts
        ? { counts: grown(counts, size) }
        : { sums: grown(sums, size), known: grown(known, size), unknown: grown(unknown, size) };
    return {
      numbers,
      measures: measures.map(({ groups, total }) => ({
        groups: plain(groups),
        total: job.groups === 1 ? plain(groups) : total.counts ? plain(total) : summed(groups),
      })),
    };
  }

  /** What jobs are counted by: a function that is told what to do next, and tells what came of it. */
  function counter() {
    const [tables, jobs] = [new Map(), new Map()];
    const acts = {
      put: async ({ name, value }) => {
        tables.set(name, await (typeof value === "string" ? unpacked(value) : value));
      },
      begin: ({ id, job }) => {
        jobs.set(id, begun(job));
      },
      month: ({ id, start, names }) => {
        const missing = Object.values(names).find((name) => !tables.has(name));
        if (missing) throw new Error(`data/${missing}.js cannot be read. Is the publication whole?`);
        const read = Object.entries(names).map(([file, name]) => [file, tables.get(name)]);
        countMonth(jobs.get(id), { start, tables: Object.fromEntries(read) });
        return { id };
      },
      finish: ({ id }) => {
        const found = finished(jobs.get(id));
        jobs.delete(id);
        return { id, found };
      },
    };
    let turn = Promise.resolve();
    return (told) => {
      const done = turn.then(() => acts[told.act](told));
      turn = done.catch(() => {});
      return done.catch((error) => ({ id: told.id, error: error.message }));
    };
  }

  wholesale.count = {
    counter,
    /** All of them, as a worker needs them. */
    source: [
      listOf,
      unpacked,
      begun,
      emptySums,
      ofKinds,
      ofOrders,
      placesOf,
      placeOf,
      groupsOf,
      grown,
      addSums,
      addOrders,
      addMembers,
      valuesOf,
      countedOf,
      countMonth,
      summed,
      finished,
      counter,
    ]
      .map(String)
      .join("\n"),
  };
})();
