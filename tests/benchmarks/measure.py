"""What one command costs: time, processor, memory of all its processes, and what else was busy."""

import os
import signal
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

SAMPLE_SECONDS = 0.05
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds and bytes from start to exit.

    `cpu` is user and system time of the whole process tree. `peak` is the largest sum of its
    resident memory in samples every 50 ms; pages that several of its processes share count once.
    `busy` is the processor time of the whole machine meanwhile, and `own` the largest resident
    memory of the first process alone.
    """

    status: int
    wall: float
    cpu: float
    peak: int
    busy: float
    own: int = 0


def run(command: str, folder: Path, variables: Mapping[str, str], *, timeout: float) -> Cost:
    """Run a line of shell to its end; what it prints goes to the file `log` in its folder.

    A command that takes more than `timeout` seconds is killed and has a status below 0.
    """
    busy = _busy()
    with (folder / "log").open("wb") as log:
        started = time.perf_counter()
        process = subprocess.Popen(
            command,
            shell=True,
            cwd=folder,
            env=dict(variables),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        sampler = Sampler(process.pid)
        sampler.start()
        killer = threading.Timer(timeout, os.killpg, (process.pid, signal.SIGKILL))
        killer.start()
        _, status, used = os.wait4(process.pid, 0)
        wall = time.perf_counter() - started
        killer.cancel()
        sampler.stop()
    process.returncode = os.waitstatus_to_exitcode(status)
    return Cost(
        status=process.returncode,
        wall=wall,
        cpu=used.ru_utime + used.ru_stime,
        peak=sampler.peak,
        busy=_busy() - busy,
        own=sampler.own,
    )


class Sampler(threading.Thread):
    """Watches the memory of a process and its descendants until it is stopped."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self.pid = pid
        self.peak = self.own = 0
        self._ended = threading.Event()

    def run(self) -> None:
        while not self._ended.wait(SAMPLE_SECONDS):
            self.peak = max(self.peak, _resident(list(tree(self.pid))))
            self.own = max(self.own, _resident([self.pid]))

    def stop(self) -> None:
        self._ended.set()
        self.join()


def tree(pid: int) -> Iterator[int]:
    """A process and its descendants; one that ends meanwhile counts alone."""
    yield pid
    for child in children_of(pid):
        yield from tree(child)


def children_of(pid: int) -> list[int]:
    """Of all its threads; none of a process, or of a thread, that has ended meanwhile."""
    children: list[int] = []
    with suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            with suppress(OSError):
                text = Path(f"/proc/{pid}/task/{thread}/children").read_text()
                children.extend(int(child) for child in text.split())
    return children


def _resident(pids: list[int]) -> int:
    """Bytes; of a single process the cheap count, of several their proportional shares."""
    total = 0
    for pid in pids:
        try:
            if len(pids) == 1:
                pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
                total += pages * os.sysconf("SC_PAGE_SIZE")
            else:
                rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
                total += 1024 * int(rollup.partition("\nPss:")[2].split()[0])
        except (OSError, IndexError):  # it has ended meanwhile
            continue
    return total


def _busy() -> float:
    """Seconds that all processors of the machine have worked since it started."""
    user, nice, system, _, _, interrupts, soft, *_ = (
        int(ticks) for ticks in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]
    )
    return (user + nice + system + interrupts + soft) / TICKS
