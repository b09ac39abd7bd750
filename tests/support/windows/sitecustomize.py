"""Windows: a process that has this folder on PYTHONPATH lacks what Python has only elsewhere.

Modules, names of `os` and `signal`, folders that can be opened, and processes that are forked. The
standard library is imported first, as it has other code for Windows; what libraries ask of the
system that they take this for, such as its name, stays.
"""

import asyncio
import http.client
import multiprocessing.context
import os
import shutil
import signal
import ssl
import subprocess
import sys
import tempfile
from importlib.abc import MetaPathFinder
from typing import Any

IMPORTED = (asyncio, http.client, ssl, subprocess, tempfile)
MODULES = {"curses", "fcntl", "grp", "pty", "pwd", "readline", "resource", "syslog", "termios"}
BY_NAME_OF_SYSTEM = "mcp."
"""The library that imports one of them where the system has another name than that of Windows."""
OF_OS = """
    O_CLOEXEC O_DIRECTORY O_NOFOLLOW O_NONBLOCK O_SYNC chown chroot fchdir fchown fdatasync fork
    forkpty getegid geteuid getgid getgroups getloadavg getpgid getpgrp getpriority getsid getuid
    initgroups killpg lchown lockf mkfifo mknod nice openpty pathconf pipe2 posix_fadvise
    posix_spawn pread preadv pwrite pwritev readv register_at_fork sched_getaffinity setpgid setsid
    setuid statvfs sync sysconf wait wait3 wait4 waitid writev
"""
OF_SIGNAL = """
    ITIMER_REAL SIGALRM SIGCHLD SIGCONT SIGHUP SIGPIPE SIGQUIT SIGSTOP SIGTSTP SIGUSR1 SIGUSR2
    alarm getitimer pause pthread_kill pthread_sigmask setitimer sigwait
"""


class Missing(MetaPathFinder):
    """A finder before all others, that finds these modules for nobody but that library."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        for module in MODULES:  # also one that was found a moment ago
            sys.modules.pop(module, None)
        if name in MODULES and not _importing().startswith(BY_NAME_OF_SYSTEM):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def _importing() -> str:
    """The name of the module that imports another one."""
    frame = sys._getframe(2)
    while frame.f_code.co_filename.startswith("<frozen importlib") and frame.f_back:
        frame = frame.f_back
    return str(frame.f_globals["__name__"])


def lack() -> None:
    sys.meta_path.insert(0, Missing())
    for module, names in ((os, OF_OS), (signal, OF_SIGNAL)):
        for name in names.split():
            if hasattr(module, name):
                delattr(module, name)
    os.supports_dir_fd.clear()
    shutil._use_fd_functions = False  # type: ignore[attr-defined]
    contexts: dict[str, Any] = multiprocessing.context._concrete_contexts  # type: ignore[attr-defined]
    for name in ("fork", "forkserver"):
        contexts.pop(name)
    multiprocessing.set_start_method("spawn")
    open_any = os.open

    def open_file(path: Any, *arguments: Any, **options: Any) -> int:
        if os.path.isdir(path):
            raise PermissionError(13, "Permission denied", path)
        return open_any(path, *arguments, **options)

    os.open = open_file


lack()
