"""A standalone Spark cluster on one machine: a master and workers of one core, for tests and measurements. Linux
alone."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
from pathlib import Path

import pyspark

#: Seconds for a process to say that it is up.
PATIENCE = 120


class Cluster:
    """A master, and the workers that are added; `close` ends all of them.

    Args:
        scratch: Folder for logs and what workers write.
        memory: What each worker may give to executors.
    """

    def __init__(self, scratch: Path, memory: str = "1g") -> None:
        self.scratch = scratch
        self.memory = memory
        self.processes: list[subprocess.Popen[bytes]] = []
        try:
            master, log = self._start("master", "master.Master")
            self._said(master, log, r"(I have been elected leader)")
            #: The address for `SparkSession.builder.master`.
            self.url = self._said(master, log, r"Starting Spark master at (spark://\S+)")
        except BaseException:
            self.close()
            raise

    def add_worker(self) -> subprocess.Popen[bytes]:
        """Starts a worker of one core, and waits until the master knows it."""
        name = f"worker-{len(self.processes)}"
        more = ["--cores", "1", "--memory", self.memory, "--work-dir", str(self.scratch / name), self.url]
        worker, log = self._start(name, "worker.Worker", *more)
        self._said(worker, log, r"(Successfully registered with master)")
        return worker

    def kill(self, process: subprocess.Popen[bytes]) -> None:
        """Kills a process and all that it started, at once."""
        for pid in started_by(process):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        process.wait(timeout=PATIENCE)

    def close(self) -> None:
        """Ends all processes; those that do not end by themselves are killed."""
        for process in self.processes:
            if process.poll() is None:
                process.terminate()
        deadline = time.monotonic() + 20
        while any(map(started_by, self.processes)) and time.monotonic() < deadline:
            for process in self.processes:
                process.poll()
            time.sleep(0.1)
        for process in self.processes:
            self.kill(process)

    def _start(self, name: str, program: str, *arguments: str) -> tuple[subprocess.Popen[bytes], Path]:
        home = Path(pyspark.__file__).parent
        # Ports that are free, whichever they are.
        bound = ["--host", "127.0.0.1", "--port", "0", "--webui-port", "0"]
        command = [str(home / "bin" / "spark-class"), f"org.apache.spark.deploy.{program}", *bound, *arguments]
        variables = {
            **os.environ,
            "SPARK_HOME": str(home),
            "SPARK_LOCAL_DIRS": str(self.scratch / "local"),
            "SPARK_MASTER_OPTS": "-Dspark.master.rest.enabled=false",
            "SPARK_DAEMON_MEMORY": "256m",
        }
        path = self.scratch / f"{name}.log"
        with path.open("wb") as log:
            # A session of its own: by it all that it starts is found again.
            process = subprocess.Popen(
                command, stdout=log, stderr=log, env=variables, start_new_session=True, cwd=self.scratch
            )
        self.processes.append(process)
        return process, path

    def _said(self, process: subprocess.Popen[bytes], log: Path, pattern: str) -> str:
        deadline = time.monotonic() + PATIENCE
        while True:
            text = log.read_text(errors="replace")
            if found := re.search(pattern, text):
                return found[1]
            if process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"{log.name} does not say {pattern!r}:\n{text}")
            time.sleep(0.1)


def started_by(process: subprocess.Popen[bytes]) -> list[int]:
    """The living processes of the session of a process."""
    found = []
    for pid, (state, _, session, _) in _processes().items():
        if session == process.pid and state != "Z":
            found.append(pid)
    return found


def cpu_seconds(root: int) -> dict[int, float]:
    """The CPU seconds so far of a process and of each below it."""
    all = _processes()
    below: dict[int, list[int]] = {}
    for pid, (_, parent, _, _) in all.items():
        below.setdefault(parent, []).append(pid)
    waiting, found = [root], {}
    while waiting:
        pid = waiting.pop()
        if pid in all:
            found[pid] = all[pid][3] / os.sysconf("SC_CLK_TCK")
        waiting += below.get(pid, [])
    return found


def _processes() -> dict[int, tuple[str, int, int, int]]:
    """State, parent, session and clock ticks of every process."""
    found = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            # Behind the name, which may hold anything.
            fields = path.read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        found[int(path.parent.name)] = (fields[0], int(fields[1]), int(fields[3]), sum(map(int, fields[11:13])))
    return found
