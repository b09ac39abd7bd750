"""Published: a publication, and what can be asked of it, by the names of the commands."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from wholesale.errors import Unanswerable, counted, one_line
from wholesale_elt.answers.answer import Answer, of_version

if TYPE_CHECKING:
    from wholesale_elt.answers.expected import ExpectedSales
    from wholesale_elt.answers.next_orders import NextOrders
    from wholesale_elt.answers.waiting import Tasks
    from wholesale_elt.differences import PublishedDifference
    from wholesale_elt.inspect import Changes
    from wholesale_elt.publish import PublishedFigures, Site
    from wholesale_elt.verification import Verified
    from wholesale_elt.warehouse import Warehouse

Names = str | Sequence[str]
Members = str | None | Sequence[str | None]


@dataclass(frozen=True, slots=True)
class Published:
    """A folder that `wholesale publish` fills, and the warehouse that it is made of.

    What is asked is the version in force, or with `as_of` that of a name or a moment.

    The warehouse is asked for changes, for what is no longer kept of the past, and if it is to be
    verified itself. Each method is the command of its name, with the same errors.
    """

    folder: Path | str = "published"
    database: Path | str | None = None
    destination: str = "duckdb"
    as_of: str | None = None

    def figures(
        self,
        metrics: Names,
        *,
        by: Names = (),
        where: Mapping[str, Members] | None = None,
        period: str = "all_time",
        grain: str | None = None,
        compare: str = "none",
    ) -> "Answer[PublishedFigures]":
        """Any metric by any dimension, for any days. `where` has the members that count, by id or
        name; None is what is missing.

        Raises: NotPublished; Unanswerable for what there is not, or does not go together.
        """
        from wholesale_elt.figures import Question
        from wholesale_elt.publish import ask_published

        question = Question(
            metrics=_listed(metrics),
            by=_listed(by),
            where=_members(where),
            period=period,
            grain=grain,
            compare=compare,
        )
        found = ask_published(self._path, question, as_of=self.as_of, with_why=True)
        rows = found.figures.rows
        return of_version(
            found.manifest,
            columns=list(rows[0] if rows else found.figures.total),
            rows=rows,
            statement=found.figures.statement,
            summary=found.summary(),
            document=found.as_document(),
            detail=found,
        )

    def why(
        self,
        metric: str,
        before: str = "previous",
        after: str = "current",
        *,
        by: Names = (),
        where: Mapping[str, Members] | None = None,
        period: str = "all_time",
        orders: str | None = None,
        with_orders: bool = True,
    ) -> "Answer[PublishedDifference]":
        """Why a figure is another one than in an earlier version: a row a cause, or with `orders`
        a row an order of that cause. Versions are named as by `--from` and `--to`.

        Raises: NotPublished; Unanswerable for a version that is not kept, or an unknown name.
        """
        from wholesale_elt.answers.moved import of_causes, of_orders
        from wholesale_elt.differences import CAUSES, why_published
        from wholesale_elt.figures import Question, unknown

        if orders is not None and orders not in CAUSES:
            raise unknown(orders, CAUSES, "cause")
        question = Question(metrics=[metric], by=_listed(by), where=_members(where), period=period)
        found = why_published(
            self._path,
            question,
            before,
            after,
            warehouse=self._warehouse,
            with_orders=with_orders or orders is not None,
        )
        rows = of_orders(found, orders) if orders else of_causes(found)
        return of_version(
            found.after,
            columns=list(dict.fromkeys(name for row in rows for name in row)),
            rows=rows,
            statement=None,
            summary=found.summary(),
            document=found.as_document(),
            detail=found,
        )

    def tasks(self, kinds: Names = (), *, limit: int | None = None) -> "Answer[Tasks]":
        """What there is to do, for whom, why, and for how much money; of these kinds, and at most
        so many of each.

        Raises: NotPublished; WholesaleError for an unknown kind.
        """
        from wholesale_elt.answers.kinds import TASK_KINDS
        from wholesale_elt.answers.waiting import Tasks

        wanted = _listed(kinds)
        in_order = [kind for kind in TASK_KINDS if kind in wanted or not wanted]
        others = [kind for kind in wanted if kind not in TASK_KINDS]
        found = Tasks.read(self._site, [*in_order, *others])
        rows, manifest = found.rows(limit), found.site.manifest
        return of_version(
            manifest,
            columns=list(dict.fromkeys(name for row in rows for name in row)),
            rows=rows,
            statement=None,
            summary=found.summary(),
            document=found.document(limit),
            detail=found,
        )

    def next(
        self,
        buyer: str | None = None,
        *,
        manager: str | None = None,
        is_due_only: bool = False,
        limit: int | None = None,
    ) -> "Answer[NextOrders]":
        """Who orders next, when, and how much: a row a buyer with a window, or the one buyer of
        that id or name; of one account manager, or due alone, and at most so many of each standing.
        There is none if the last day that is known is more than a week ago.

        Raises: NotPublished; Unanswerable for an unknown buyer or manager.
        """
        from wholesale_elt.answers.next_orders import NextOrders, Wanted, today_of
        from wholesale_elt.warehouse import open_file

        site = self._site
        with open_file(site.database) as connection:
            today = None if self.as_of else today_of(connection, site.manifest)
            wanted = Wanted(buyer, manager, is_due_only, limit, today)
            found = NextOrders.read(connection, site.manifest, wanted)
        return of_version(
            site.manifest,
            columns=list(dict.fromkeys(name for row in found.rows for name in row)),
            rows=found.rows,
            statement=found.statement,
            summary=found.summary(),
            document=found.document(),
            detail=found,
        )

    def expected_sales(self, by: str | None = None) -> "Answer[ExpectedSales]":
        """What the running month and the next one are expected to come to, and between which
        amounts: a row a month, or a month and vendor or account manager. `detail.total` has that of
        all, which is no sum of its parts. There is none if the last day that is known is more than
        a week ago.

        Raises: NotPublished; Unanswerable for a dimension by which none is told.
        """
        from wholesale_elt.answers.expected import ExpectedSales
        from wholesale_elt.answers.next_orders import today_of
        from wholesale_elt.warehouse import open_file

        site = self._site
        with open_file(site.database) as connection:
            today = None if self.as_of else today_of(connection, site.manifest)
            found = ExpectedSales.read(connection, site.manifest, by, today)
        return of_version(
            site.manifest,
            columns=list(found.rows[0]) if found.rows else [],
            rows=found.rows,
            statement=found.statement,
            summary=found.summary(),
            document=found.document(),
            detail=found,
        )

    def sql(self, statement: str, *, limit: int | None = None) -> Answer[None]:
        """The rows of one statement of DuckDB's SQL, which can change nothing.

        Raises: NotPublished; WholesaleError for what is not one statement that reads.
        """
        from wholesale_elt.answers.statement import Statement

        with Statement.asked(self._site, statement) as asked:
            rows = list(islice(asked.rows, limit))
        document, manifest = asked.document(rows), asked.site.manifest
        return of_version(
            manifest,
            columns=asked.columns,
            rows=document["rows"],
            statement=statement,
            summary=asked.summary(len(rows)),
            document=document,
            detail=None,
        )

    def changes(self, since: str | None = None) -> "Answer[Changes]":
        """What changed in the last sync, or since a moment or a published version, a row a record
        or line.

        Raises: Unanswerable for what is neither; ConfigurationError where nothing is stored.
        """
        from wholesale.configuration import read_model
        from wholesale_elt.answers.changed import changes_document
        from wholesale_elt.inspect import find_changes
        from wholesale_elt.models import BUILD, ModelSettings

        moment = None
        if since:
            from wholesale_elt.publish import find_moment

            moment = find_moment(self._path, since)
        cancelled = read_model(ModelSettings, BUILD).cancelled_order_statuses
        found = find_changes(self._warehouse, moment, cancelled=cancelled)
        document = changes_document(found)
        rows = document["changes"]
        between = f"between {found.since.isoformat()} and {found.until.isoformat()}"
        return Answer(
            columns=list(rows[0]) if rows else [],
            rows=rows,
            statement=None,
            verdict=None,
            as_of=None,
            version=None,
            summary=f"{counted(len(rows), 'change')} {between}",
            document=document,
            detail=found,
        )

    def verify(
        self,
        held: Path | str | None = None,
        *,
        version: str | None = None,
        is_of_warehouse: bool = False,
    ) -> "Answer[Verified]":
        """Whether a version, a copy of its file, an answer, or the warehouse is what it was: a row
        for each thing that differs, so none is right.

        Raises: NotPublished; Unanswerable for a version that is not kept; WholesaleError for what
        is no copy and no answer.
        """
        if is_of_warehouse:
            from wholesale_elt.publish import find_version
            from wholesale_elt.verification import verify_warehouse  # with dlt

            if held:
                raise Unanswerable("name a file or the warehouse, not both")
            of = find_version(self._path, version) if version else None
            found = verify_warehouse(self._warehouse, of)
        else:
            from wholesale_elt.verification import verify

            found = verify(self._path, version, Path(held) if held else None)
        rows = [asdict(each) for each in found.findings]
        told = f"{found.count:,} {found.looked_at} are what they were"
        if rows:
            first, more = found.findings[0], f" and {len(rows) - 1:,} more" if rows[1:] else ""
            told = f"{one_line(first.what)}: {first.reason}{more}"
        unproved = f"; nothing is noted of {', '.join(found.unproved)}" if found.unproved else ""
        return Answer(
            columns=["what", "reason", "row_count", "rows", "buckets"],
            rows=rows,
            statement=None,
            verdict=None,
            as_of=None,
            version=found.version,
            summary=f"{found.version}: {told}{unproved}",
            document={
                "version": found.version,
                "looked_at": found.looked_at,
                "count": found.count,
                "unproved": found.unproved,
                "findings": rows,
            },
            detail=found,
        )

    @property
    def _path(self) -> Path:
        return Path(self.folder).expanduser()

    @property
    def _site(self) -> "Site":
        from wholesale_elt.publish import site_as_of

        return site_as_of(self._path, self.as_of)

    @property
    def _warehouse(self) -> "Warehouse":
        from wholesale_elt.warehouse import warehouse_in

        return warehouse_in(self.destination, Path(self.database) if self.database else None)


def _listed(names: Names) -> Sequence[str]:
    return [names] if isinstance(names, str) else names


def _members(where: Mapping[str, Members] | None) -> Mapping[str, Sequence[str | None]]:
    return {
        name: [members] if members is None or isinstance(members, str) else members
        for name, members in (where or {}).items()
    }
