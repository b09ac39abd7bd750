"""Published: files by their hashes, an answer by its statement."""

from collections.abc import Iterator
from pathlib import Path

from wholesale_elt.publish import (
    CURRENT_VERSION,
    DATABASE,
    MANIFEST,
    Manifest,
    describe_file,
    find_site,
    find_version,
)
from wholesale_elt.verification.answers import compare_answer, read_answer
from wholesale_elt.verification.findings import Finding, Verified, is_right
from wholesale_elt.warehouse import logs_beside

ANOTHER = "its hash is another one"
UNKNOWN = "it is no file of this version"


def verify(published: Path, version: str | None = None, held: Path | None = None) -> Verified:
    """Whether the files of a version are as they were published; or the tables of a copy of its
    DuckDB file, or the rows of an answer. A copy and an answer tell themselves of which version.

    Raises: NotPublished if the folder holds none; Unanswerable for a version that is not kept;
    WholesaleError for what is no copy and no answer.
    """
    published = published.expanduser()
    if held is None:
        return _verify_files(published, version or CURRENT_VERSION)
    if held.suffix == ".json":
        return _verify_answer(published, held)
    from wholesale_elt.verification.copies import verify_copy  # with Arrow

    return verify_copy(published, version, held)


def _verify_files(published: Path, version: str) -> Verified:
    manifest = find_version(published, version)
    damaged = [file for file in manifest.files if not is_right(published, file)]
    findings = [Finding(file.path, ANOTHER) for file in damaged]
    findings += [Finding(path, UNKNOWN) for path in _unknown(published, manifest)]
    if manifest.database in damaged:
        path = published / manifest.database.path
        from wholesale_elt.verification.copies import verify_copy

        findings += verify_copy(published, manifest.version, path).findings
    return Verified(manifest.version, "files", len(manifest.files), findings)


def _verify_answer(published: Path, held: Path) -> Verified:
    answer = read_answer(held)
    manifest = find_version(published, answer.version)
    findings = [Finding(manifest.database.path, ANOTHER)]
    if is_right(published, manifest.database):
        found = compare_answer(answer, published / manifest.database.path, held.name)
        findings = [found] if found else []
    return Verified(manifest.version, "rows", len(answer.rows), findings)


def _unknown(published: Path, manifest: Manifest) -> Iterator[str]:
    """Paths beside the files of a version, and beside the file of the fixed name, of files that
    are not its own; and that of the fixed name if it is another one than that in force."""
    database, fixed = published / manifest.database.path, published / DATABASE
    known = {published / file.path for file in manifest.files}
    for folder in (database.parent, (published / manifest.dashboard).parent):
        for path in sorted({*folder.rglob("*")} - known - {folder / MANIFEST}):
            if path.is_symlink() or not path.is_dir():
                yield path.relative_to(published).as_posix()
    for path in logs_beside(fixed):
        yield path.name
    if find_site(published).manifest.version == manifest.version and fixed.exists():
        is_link = database.exists() and fixed.samefile(database)
        if not is_link and describe_file(published, fixed).sha256 != manifest.database.sha256:
            yield fixed.name
