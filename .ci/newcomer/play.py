"""Follows a page word by word: writes its files, runs its commands, and compares the answers of its sessions.

play.py <page> [<section>]: up to its first heading of the second level, in the current folder.
"""

import os
import re
import signal
import socket
import subprocess
import sys

SHOWN = "localhost:8080"


class Newcomer:
    def __init__(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.folder = os.getcwd()
        self.files = {}
        self.service = None

    def follow(self, kind, text):
        if kind.startswith("rust"):
            # A file is named in its first line; a page with a single one leaves that out.
            named = re.match(r"// (src/\S+)\n", text)
            self.files[named.group(1) if named else "src/main.rs"] = text
        elif kind == "bash":
            self.files[re.match(r"# (\S+\.sh)", text).group(1)] = text
        elif kind == "sh":
            for command in text.splitlines():
                self.run(command)
        elif kind == "console":
            self.converse(text)

    def run(self, command):
        print("$", command, flush=True)
        exported = re.match(r"export (\w+)=(\S+)$", command)
        if exported:
            os.environ[exported.group(1)] = exported.group(2)
            return
        if command.startswith(("cargo run", "cargo test")):
            for path, text in self.files.items():
                with open(os.path.join(self.folder, path), "w") as file:
                    file.write(text)
            self.stop()
        if command == "cargo run":
            self.start(command)
            return
        subprocess.run(["bash", "-c", command], cwd=self.folder, check=True)
        entered = re.search(r"&& cd (\S+)$", command)
        if entered:
            self.folder = os.path.join(self.folder, entered.group(1))

    def start(self, command):
        environment = os.environ | {"LISTEN_ADDR": f"127.0.0.1:{self.port}"}
        build = command.replace("cargo run", "cargo build --quiet", 1)
        subprocess.run(build, shell=True, cwd=self.folder, check=True)
        self.service = subprocess.Popen(command.split(), cwd=self.folder, env=environment, stdout=subprocess.PIPE,
                                        text=True, start_new_session=True)
        line = self.service.stdout.readline()
        if "listens on" not in line:
            sys.exit(f"the service did not start: {line}")

    def stop(self):
        if self.service is None:
            return
        # As Ctrl-C does, which cargo and the service get.
        os.killpg(self.service.pid, signal.SIGINT)
        self.service.wait(timeout=20)
        self.service = None

    def converse(self, text):
        for exchange in re.split(r"(?m)^\$ ", text)[1:]:
            command, _, expected = exchange.partition("\n")
            print("$", command, flush=True)
            here = f"localhost:{self.port}"
            command = command.replace("curl ", "curl -sS ", 1).replace(SHOWN, here)
            done = subprocess.run(["bash", "-c", command], cwd=self.folder, capture_output=True, text=True)
            answer = (done.stdout + done.stderr).replace(here, SHOWN)
            if answer.strip() != expected.strip():
                sys.exit(f"the page shows\n{expected}\nthe service answers\n{answer}")


def main(page, section=None):
    newcomer = Newcomer()
    text = open(page).read()
    if section:
        # A comment of a script looks like a heading, but has no empty line before it.
        text = text.split(f"\n\n# {section}\n")[1].split("\n\n# ")[0]
    text = text.split("\n## ")[0]
    try:
        for kind, block in re.findall(r"(?ms)^```(\S*)\n(.*?)^```$", text):
            newcomer.follow(kind, block)
        newcomer.stop()
    finally:
        if newcomer.service is not None:
            os.killpg(newcomer.service.pid, signal.SIGKILL)
    print(f"{os.path.basename(page)}: followed")


if __name__ == "__main__":
    main(*sys.argv[1:])
