"""A real Spark: a cluster of a driver and two executors, each a process, by Spark Connect."""

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from support.services.installed import with_package

PACKAGE = "pyspark==4.2.0"
SERVER = "org.apache.spark.sql.connect.service.SparkConnectServer"
LONGEST_START = 120.0
BRIEF = "-XX:TieredStopAtLevel=1"
"""For a JVM that ends before it has earned what it spends on compiling itself thoroughly."""


@contextmanager
def serving_spark(folder: Path, more: Mapping[str, str] | None = None) -> Iterator[str]:
    """The address of a cluster with what its package brings and no more, and with `more` settings,
    until the block ends."""
    if not shutil.which("java"):
        pytest.skip("Spark needs Java, which is not installed")
    programs = with_package(folder, PACKAGE)
    [home] = (programs.parent / "lib").glob("python*/site-packages/pyspark")
    port = _free_port()
    settings = {
        "spark.connect.grpc.binding.port": port,
        "spark.driver.extraJavaOptions": BRIEF,
        "spark.executor.extraJavaOptions": BRIEF,
        "spark.sql.warehouse.dir": folder / "warehouse",
        "spark.sql.shuffle.partitions": 4,
        "spark.ui.enabled": "false",
        **(more or {}),
    }
    with (folder / "spark.log").open("wb") as log:
        server = subprocess.Popen(
            [
                *(home / "bin/spark-submit", "--class", SERVER),
                *("--master", "local-cluster[2,1,1024]", "--driver-memory", "1g"),
                *(word for name in settings for word in ("--conf", f"{name}={settings[name]}")),
                "spark-internal",
            ],
            cwd=folder,
            env=os.environ | {"SPARK_HOME": str(home), "SPARK_LOCAL_IP": "127.0.0.1"},
            stdout=log,
            stderr=log,
        )
    try:
        _wait_for(port, server)
        yield f"sc://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait()


def _free_port() -> int:
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        port: int = taken.getsockname()[1]
        return port


def _wait_for(port: int, server: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + LONGEST_START
    while time.monotonic() < end and server.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except OSError:
            time.sleep(0.2)
        else:
            return
    raise TimeoutError("Spark does not answer")
