"""Prove: as of which moment the records of a list are complete, and which stored ones are gone.

In:  what each step of a reading showed, as the `Ledger` has it, and what is stored.
Out: which step comes next; in the end a `Proof`, who is gone, and what speaks against the reading.
Knows nothing of HTTP, of JSON or of the destination: a `Listing` carries the steps out.
Begin with `course`; `head` may be skipped.

Theory of completeness
======================

A list comes in pages while records are added, edited and deleted. A record that moves from an
unread page to one that was read already is never shown. No single scan can be trusted, and no
list promises its order (§2.3). So a run collects evidence until one moment is proved.

A record is one id, in any spelling, however many rows show it. Of rows that differ the one of the
newest version counts. Where they are of one version, the id may stand for two records, or an edit
fell between two pages: such a scan proves nothing, and a later one that shows one content may.

Words. A *step* is one undertaking of a run, and steps never overlap: a *full scan* reads every page
of the list, a *probe* reads one page by itself, other steps read records by their ids.
The service *counts*: its `total_count`. A record is *due* if the destination does not hold the
state of it that was seen last. A *suspect* is a stored record whose absence is not settled.

There are five kinds of proof: by count, by agreement, by the past (certified as agreement), by the
head, and that of child lists (certified as count). A run ends with one of them, or with the reason
why there is none.

Evidence. The ledger notes of each record the first and the last step that showed it alive, the
newest state seen, and the state held. Ids are not used again. So a record seen alive in two steps
was alive at every step between them; a stored record counts as seen before the run.

Proof by count. Let a probe count N records at moment t. Let exactly N records have been seen both
before t and after t. All of these were alive at t, and the service says that there were no more:
they are all records of that moment. Nothing is said of the order of the list, of how its pages move
or of how often a record came: it is an argument about sets. A list in one response is the special
case in which the probe itself shows all that it counts. A record without an id is counted too, so
it is added to those seen.

Proof by agreement. Where totals are missing or too low, two full scans in a row must show the same
records in the same states, cut into pages of different sizes. A record that falls between two pages
of one cut is inside a page of the other. A total that is higher than what came forbids this proof:
there may be more than the list shows. Rows that repeat a record came too, if both scans repeat the
same ones: such a list counts its rows.

Proof by the past. One scan is enough if it shows just the records that the last run proved to be
all, and probes of both ends of the list show no other. It is reported as an agreement.

Proof by the head. A list by `updated_at`, newest first, shows every change on its first pages. It
looks just like one by creation until an old order is edited. So it is relied on only after a full
scan showed an edited old order before orders that had not changed, for a day at most, and only if
the run finds the order kept on pages far behind, the count as expected, and every stored order of
that time there. What is edited or added with an older date is found by the next full scan.

Proof of child lists. The list of one parent is short, and is proved by its own count, each record
once, if it shows no fewer than its parent counts; one that does not add up is read once more. All
of them are complete as of the moment before the first, if the list of parents is proved for it.

Absence. A list that lacks a record proves nothing by itself. The record is asked for by its id, and
404 alone says that it is gone. Controls, which the list shows, are asked for in the same way: where
none answers, the 404s say nothing, and it takes the absence from two proved lists. A child whose
parent is proved to be gone needs no control. A dozen of the 404s are asked for once more at the
end, all of them if there is no proof: if one answers, none is believed. An empty list has no
controls: it is believed in the second run that finds it empty and none of the records there, or by
`--full`. What cannot be asked for (categories, custom fields) is gone if a proved list lacks it, a
quarter of them at once and never the last; of more a person must say so (`--full`), as a list that
fails or belongs to somebody else looks just the same in a second run. A record that was 404 and is
listed again takes the proof back, as does one that comes in an older version than before: such a
list shows an earlier moment.

What none of this can know. Proof by count: one record too many in the count hides one that is gone.
Agreement: a list that leaves out the same records every time, and counts no more than it shows. The
head: a change that carries an old date, until the next full scan. Absence: a service that answers
404 for what exists, each time and for some records only. All of them: a record that comes and goes
between two responses; a list and detail requests that show the same earlier moment throughout.

The rules on one page.

1. A moment is certified by one of the five proofs; there is no other way.
2. Records are all there: as many were certainly alive as are counted, or two readings agree.
3. A record that answers by its id though a list neither shows nor counts it forbids every proof.
4. A list that counts more than it shows is not complete, whatever agrees.
5. A fault of a scan (a refused, repeated or empty page before the end) forbids its agreement; an
   id that it shows with several contents of one version forbids every proof of it.
6. A scan is repeated until there is a proof, five times at most, or until it shows the same twice.
7. A record is deleted by 404 with a control that answers, or by absence from proved lists where
   nothing can be asked for, few at once. Never by a fault, by a failing response or by a field.
8. Whatever contradicts a 404 withdraws all 404s of the run.
9. What is due after all that is not settled: the resource is incomplete until it is.
10. Doubt never deletes and never empties: it only withholds the certificate.
"""

from wholesale.prove.absence import CONTROLS, MOST_CONTROLS, Absence
from wholesale.prove.course import Course
from wholesale.prove.head import Head, HeadRefused, Order, count_missed, may_stop_early
from wholesale.prove.proof import Proof, ProofKind
from wholesale.prove.steps import Asked, Probe, Scan, no_keys

__all__ = [
    "CONTROLS",
    "MOST_CONTROLS",
    "Absence",
    "Asked",
    "Course",
    "Head",
    "HeadRefused",
    "Order",
    "Probe",
    "Proof",
    "ProofKind",
    "Scan",
    "count_missed",
    "may_stop_early",
    "no_keys",
]
