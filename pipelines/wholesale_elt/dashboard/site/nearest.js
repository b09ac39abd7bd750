/** Nearest: which of some words a word was most likely meant to be, as it was typed with a mistake or two. */
(() => {
  "use strict";

  /** Texts alike for somebody who types without accents. */
  const folded = (text) => (text ?? "").normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();

  /** Letters that are missing, too many, others, or in another order; `most + 1` for more than that. */
  function distance(one, other, most) {
    if (Math.abs(one.length - other.length) > most) return most + 1;
    let [before, last] = [[], Array.from({ length: other.length + 1 }, (_, place) => place)];
    for (let row = 1; row <= one.length; row += 1) {
      const now = [row];
      for (let column = 1; column <= other.length; column += 1) {
        const isSame = one[row - 1] === other[column - 1];
        now[column] = Math.min(last[column] + 1, now[column - 1] + 1, last[column - 1] + (isSame ? 0 : 1));
        const isTurned =
          row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
        if (isTurned) now[column] = Math.min(now[column], before[column - 2] + 1);
      }
      if (Math.min(...now) > most) return most + 1;
      [before, last] = [last, now];
    }
    return last[other.length];
  }

  /** The nearest of some `[key, text]`: one that begins so, or has few other letters; null where none is near. */
  function nearest(typed, known) {
    const wanted = folded(typed);
    const most = wanted.length < 3 ? 0 : Math.max(1, Math.floor(wanted.length / 3)); // what is short is near to all
    let [found, least] = [null, most + 1];
    for (const [key, text = key] of known) {
      for (const each of new Set([folded(key), folded(text)])) {
        const begins = wanted.length >= 3 && (each.startsWith(wanted) || (each.length >= 3 && wanted.startsWith(each)));
        const apart = begins ? 0.5 : distance(wanted, each, most);
        if (apart < least) [found, least] = [key, apart];
      }
    }
    return found;
  }

  wholesale.nearest = { folded, distance, nearest };
})();
