/** Hours: what time it is where a buyer is, as far as its state or country has one time alone. */
(() => {
  "use strict";

  const { format } = wholesale;
  const [EARLY, LATE] = [8, 18];
  /** States and provinces of one time, by their zone; those of two are left out. */
  const STATES = {
    "America/New_York":
      "Connecticut, Delaware, District of Columbia, Georgia, Maine, Maryland, Massachusetts, New Hampshire, " +
      "New Jersey, New York, North Carolina, Ohio, Pennsylvania, Rhode Island, South Carolina, Vermont, Virginia, " +
      "West Virginia",
    "America/Chicago":
      "Alabama, Arkansas, Illinois, Iowa, Louisiana, Minnesota, Mississippi, Missouri, Oklahoma, Wisconsin, Manitoba",
    "America/Denver": "Colorado, Montana, New Mexico, Utah, Wyoming, Alberta",
    "America/Phoenix": "Arizona",
    "America/Los_Angeles": "California, Nevada, Washington",
    "America/Puerto_Rico": "Puerto Rico",
    "America/Halifax": "Nova Scotia, New Brunswick, Prince Edward Island",
    "Pacific/Honolulu": "Hawaii",
  };
  const COUNTRIES = {
    "America/Puerto_Rico": "Puerto Rico",
    "Europe/London": "United Kingdom",
    "Europe/Dublin": "Ireland",
    "Europe/Paris": "France, Belgium, Netherlands, Luxembourg",
    "Europe/Berlin": "Germany, Austria, Switzerland, Italy, Denmark, Norway, Sweden, Poland",
    "Europe/Athens": "Greece, Finland",
    "Asia/Tokyo": "Japan",
  };
  const OF_STATES = new Set(["United States", "Canada"]);

  const byName = (zones) =>
    new Map(Object.entries(zones).flatMap(([zone, names]) => names.split(", ").map((name) => [name, zone])));
  const [states, countries] = [byName(STATES), byName(COUNTRIES)];

  /** The zone of a place; null where it is not known, or not one. */
  function zoneOf({ state, country }) {
    const region = (state ?? "").trim();
    const name = region.startsWith(`${country}-`) ? region.slice(country.length + 1) : region;
    return (OF_STATES.has(country) ? states.get(name) : countries.get(country)) ?? null;
  }

  /** The hour there: `{text, isNight}`; null where it is not known. */
  function hourIn(place, now = new Date()) {
    const timeZone = zoneOf(place);
    if (timeZone === null) return null;
    const hour = Number(new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", hourCycle: "h23" }).format(now));
    const isNight = hour < EARLY || hour >= LATE;
    const said = isNight ? (hour < EARLY ? ", too early" : ", too late") : "";
    return { text: `${format.hourIn(now, timeZone)} there${said}`, isNight };
  }

  wholesale.receive("pages/calls/hours", { hourIn, zoneOf });
})();
