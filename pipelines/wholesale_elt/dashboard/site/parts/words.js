/** Words: the texts of the service, as somebody says them. */
(() => {
  "use strict";

  const { format } = wholesale;

  const trimmed = (text) => (text ?? "").trim();

  /** Texts that are there, side by side. */
  function joined(...texts) {
    return texts.map(trimmed).filter(Boolean).join(", ");
  }

  /** `United States-Oregon` → `Oregon`, a place as somebody says it. */
  function place({ city, state, country }) {
    const region = trimmed(state);
    return joined(city, (region.startsWith(`${country}-`) ? region.slice(country.length + 1) : region) || country);
  }

  /** `PaymentMethod::NetTerms` → `Net terms`. */
  function method(code) {
    const text = trimmed(code)
      .split("::")
      .at(-1)
      .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
      .toLowerCase();
    return format.word(text);
  }

  const ordinals = new Intl.PluralRules("en", { type: "ordinal" });
  const ENDINGS = { one: "st", two: "nd", few: "rd", other: "th" };
  const ordinal = (number) => `${format.count(number)}${ENDINGS[ordinals.select(number)]}`;

  wholesale.parts = { trimmed, joined, place, method, ordinal };
})();
