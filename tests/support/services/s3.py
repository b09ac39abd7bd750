"""S3: a real server of its protocol, in a process of its own."""

import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from pyarrow import fs

SECRET = "the-secret-of-the-bucket"
"""Nothing that a command prints or writes may hold it."""


@contextmanager
def serving_s3(environment: pytest.MonkeyPatch) -> Iterator[None]:
    """An account without buckets, to which the usual environment leads until the block ends."""
    command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", "0"]
    with TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        with log.open("w") as file, subprocess.Popen(command, stderr=file) as process:
            try:
                while not (found := re.search(r"Running on (http://\S+)\n", log.read_text())):
                    assert process.poll() is None, log.read_text()
                    time.sleep(0.05)
                environment.setenv("AWS_ENDPOINT_URL", found[1])
                environment.setenv("AWS_ACCESS_KEY_ID", "somebody")
                environment.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
                environment.setenv("AWS_DEFAULT_REGION", "eu-central-1")
                yield
            finally:
                process.kill()


def make_bucket(name: str) -> fs.FileSystem:
    """An empty one; what it holds is read without the code that is tested."""
    files, _ = fs.FileSystem.from_uri(f"s3://{name}?allow_bucket_creation=true")
    files.create_dir(name)
    return files
