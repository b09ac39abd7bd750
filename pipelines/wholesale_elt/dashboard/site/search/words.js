/** Words: whether a name has all words that were typed, in any order, and one of them perhaps with a mistake. */
(() => {
  "use strict";

  const { folded, distance } = wholesale.nearest;
  /** Shorter words have too many neighbours. */
  const LONG = 5;
  const INSIDE = 2;
  const MISTAKEN = 4;

  const wordsOf = (text) => folded(text).match(/[\p{L}\p{N}]+/gu) ?? [];

  /** Whether a word begins with what was typed, but for one letter. */
  function isMistaken(typed, word) {
    if (word.length < typed.length - 1) return false;
    for (const length of [typed.length, typed.length - 1, typed.length + 1])
      if (distance(typed, word.slice(0, length), 1) <= 1) return true;
    return false;
  }

  /** How well texts have a word: 1 begins so, 2 inside of a word, 4 with one mistake; null not at all. */
  function rankOfWord(typed, { all, words }, mayBeMistaken) {
    const place = all.indexOf(typed);
    if (place >= 0) return words.some((word) => word.startsWith(typed)) ? 1 : INSIDE;
    if (!mayBeMistaken || typed.length < LONG || /\d/.test(typed)) return null;
    return words.some((word) => isMistaken(typed, word)) ? MISTAKEN : null;
  }

  /** What of an entry is looked through: its texts, folded once. */
  const prepared = (texts) => ({
    name: folded(texts[0]),
    all: texts.map(folded).join("\n"),
    words: [...new Set(texts.flatMap(wordsOf))],
  });

  /** How well an entry answers: 0 begins with the whole text, more is worse; null not at all. */
  function rank(entry, wanted, { isMistaken: mayBe = false, missing = 0 } = {}) {
    if (entry.name.startsWith(wanted)) return 0;
    const found = wordsOf(wanted).map((typed) => rankOfWord(typed, entry, mayBe));
    const known = found.filter((place) => place !== null);
    if (known.length === 0 || found.length - known.length > missing) return null;
    return Math.max(...known) - (entry.all.includes(wanted) ? 0.5 : 0);
  }

  /** The best of some entries, as closely as these ways allow. */
  const best = (entries, wanted, most, way) =>
    entries
      .map((entry) => [rank(entry.found, wanted, way), entry])
      .filter(([place]) => place !== null)
      .toSorted(([left], [right]) => left - right)
      .slice(0, most)
      .map(([, entry]) => entry);

  /** From the strictest way on: all words; one letter wrong; one word of three or more too many. */
  const waysOf = (wanted) => [
    {},
    { isMistaken: true },
    ...(wordsOf(wanted).length > 2 ? [{ isMistaken: true, missing: 1 }] : []),
  ];

  wholesale.searched = { wordsOf, prepared, rank, best, waysOf };
  wholesale.receive("search/words", null);
})();
