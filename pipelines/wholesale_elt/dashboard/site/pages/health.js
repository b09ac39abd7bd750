/** Data health: whether these numbers can be trusted, and why. */
(() => {
  "use strict";

  const { element, format, tile, headline, table, Table, load } = wholesale;

  const KIND = { name: "resource", label: "Kind", kind: "text", isHeader: true };
  const VERDICT = {
    name: "verdict", label: "Verdict", kind: "text", tone: (row) => (row.verdict === "complete" ? "up" : "down"),
  };
  const REASON = { name: "reason", label: "Reason", kind: "text" };
  const SIGNS = [
    { name: "duplicate_count", label: "Seen twice", kind: "count" },
    { name: "first_total_count", label: "Total at first", kind: "count" },
    { name: "last_total_count", label: "Total at last", kind: "count" },
    { name: "missed_count", label: "Missed", kind: "count" },
    { name: "audited_count", label: "Read again", kind: "count" },
    { name: "silent_count", label: "Silent edits", kind: "count" },
  ];

  function headlines(numbers) {
    const share = (name, good, of, what) => {
      const text = `${format.count(numbers[good])} of ${format.count(numbers[of])}`;
      return headline(name, { short: text, exact: text, note: element("p", { class: "change" }, what) });
    };
    return element(
      "div",
      { class: "tiles headlines" },
      share("freshness", "complete_resource_count", "resource_count", "kinds certified complete"),
      share("reconciliation", "reconciled_check_count", "check_count", "checks agree"),
      share("drift", "still_resource_count", "resource_count", "kinds stood still when last read"),
      headline("quarantine", {
        short: format.count(numbers.quarantined_record_count), exact: String(numbers.quarantined_record_count),
        note: element("p", { class: "change" }, "records could not be loaded"),
      }),
    );
  }

  function freshnessTile(rows) {
    return tile("freshness", { wide: true }, table({
      caption: "Completeness by kind",
      columns: [
        KIND, VERDICT,
        { name: "complete_as_of", label: "Complete as of", kind: "moment" },
        { name: "lag_seconds", label: "Age when built", kind: "duration" },
        { name: "last_run_at", label: "Last run", kind: "moment" },
        REASON,
      ],
      rows, sort: "resource", descending: false, file: "freshness",
      empty: "Nothing has been synced.",
    }));
  }

  function reconciliationTile(rows) {
    return tile("reconciliation", { wide: true }, table({
      caption: "Reconciliation",
      columns: [
        { name: "check_name", label: "Check", kind: "text", isHeader: true },
        { name: "resource", label: "Kind", kind: "text" },
        { name: "is_reconciled", label: "Agrees", kind: "flag", tone: (row) => (row.is_reconciled ? "up" : "down") },
        { name: "expected", label: "Expected", kind: "number" },
        { name: "found", label: "Found", kind: "number" },
        { name: "difference", label: "Difference", kind: "number" },
        { name: "different_row_count", label: "Rows that differ", kind: "count" },
        { name: "severity", label: "If not", kind: "text" },
      ],
      rows, file: "reconciliation",
    }));
  }

  function driftTile(rows) {
    return tile("drift", { wide: true }, table({
      caption: "Drift in the last sync of each kind",
      columns: [KIND, ...SIGNS],
      rows, sort: "resource", descending: false, file: "drift",
      empty: "Nothing has been synced.",
    }));
  }

  function quarantineTile(rows) {
    return tile("quarantine", { wide: true }, table({
      caption: "Quarantine",
      columns: [
        KIND, REASON,
        { name: "record_count", label: "Records", kind: "count" },
        { name: "run_id", label: "Run", kind: "id" },
      ],
      rows, sort: "record_count", file: "quarantine",
      empty: "Every record that came could be loaded.",
    }));
  }

  function runsTile(rows) {
    return tile("runs", { wide: true }, table({
      caption: "Recent syncs",
      columns: [
        { name: "started_at", label: "Started", kind: "moment", isHeader: true },
        { name: "resource", label: "Kind", kind: "text" },
        VERDICT,
        { name: "strategy", label: "Strategy", kind: "text" },
        { name: "duration_seconds", label: "Took", kind: "duration" },
        { name: "request_count", label: "Requests", kind: "count" },
        { name: "ids_seen_count", label: "Ids seen", kind: "count" },
        { name: "new_count", label: "New", kind: "count" },
        { name: "changed_count", label: "Changed", kind: "count" },
        { name: "deleted_count", label: "Deleted", kind: "count" },
        { name: "unreadable_count", label: "Unreadable", kind: "count" },
        REASON,
      ],
      rows, sort: "started_at", size: 15, file: "sync-runs", limit: wholesale.meta.limits.runs,
    }));
  }

  wholesale.pages.health = async () => {
    const data = await load("health");
    const [freshness, reconciliation, runs, quarantine] =
      ["freshness", "reconciliation", "runs", "quarantine"].map((name) => new Table(data[name]).rows());
    const newest = runs.filter((run) => run.is_latest);
    return [
      headlines(data.headlines),
      element(
        "div",
        { class: "tiles" },
        freshnessTile(freshness), driftTile(newest), reconciliationTile(reconciliation),
        quarantineTile(quarantine), runsTile(runs),
      ),
    ];
  };
})();
