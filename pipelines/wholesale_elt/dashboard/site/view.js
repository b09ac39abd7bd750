/** What is looked at: page, period, vendor and state, kept in the URL so that a view can be shared. */
(() => {
  "use strict";

  const ALL = "all";
  const PAGES = ["overview", "vendors", "buyers", "catalogue", "chase", "health"];

  /** The view of a hash such as `#/vendors?period=2025&state=US-CA`; unknown values fall back. */
  function parse(hash, meta) {
    const [path, query = ""] = hash.replace(/^#\/?/, "").split("?");
    const wanted = new URLSearchParams(query);
    const known = (name, values, otherwise) =>
      values.includes(wanted.get(name)) ? wanted.get(name) : otherwise;
    return {
      page: PAGES.includes(path) ? path : PAGES[0],
      period: known("period", meta.periods.map((period) => period.period_key), meta.defaultPeriod),
      vendor: known("vendor", meta.vendors.map((vendor) => vendor.id), ALL),
      state: known("state", meta.states, ALL),
    };
  }

  /** The hash of a view; what is not chosen is not in it. */
  function hashOf(view, meta) {
    const chosen = new URLSearchParams();
    if (view.period !== meta.defaultPeriod) chosen.set("period", view.period);
    if (view.vendor !== ALL) chosen.set("vendor", view.vendor);
    if (view.state !== ALL) chosen.set("state", view.state);
    const query = chosen.toString();
    return `#/${view.page}${query && `?${query}`}`;
  }

  wholesale.view = { ALL, PAGES, parse, hashOf };
})();
