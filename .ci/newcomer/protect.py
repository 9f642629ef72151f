"""Follows the section «Protect the library» of the guide to access, in the folder in which the tutorial was followed.

protect.py <guide>: what the section shows in parts goes where its words say.
"""

import os
import re
import sys

from play import Newcomer

SCOPES = r"`(#\[resource\([^`]*scopes[^`]*\)\])`"


def replace(path, old, new):
    with open(path) as file:
        whole = file.read()
    if whole.count(old) != 1:
        sys.exit(f"«{old}» does not stand once in {path}")
    with open(path, "w") as file:
        file.write(whole.replace(old, new))


def insert(path, before, text):
    replace(path, before, text + before)


def main(guide):
    page = open(guide).read()
    program = re.search(r"(?ms)^```rust,no_run\n(.*?)^```$", page).group(1)
    section = page.split("\n# Protect the library\n")[1].split("\n# ")[0]
    parts = [re.sub(r"(?m)^   ", "", it).strip() for it in re.findall(r"(?ms)^   ```text\n(.*?)^   ```$", section)]
    body, owner, checked, caller, refused = parts
    commands = re.findall(r"`((?:cargo|sqlite3) [^`]+)`", section)

    replace("src/main.rs", '    cli::Program::new("library", api()).commands(resource_lock::run).main().await\n',
            "".join(f"    {line}\n" for line in body.splitlines()))
    used = [line for line in re.findall(r"(?m)^use .*;$", program) if "oauth2" in line or "env" in line]
    insert("src/main.rs", "use std::process::ExitCode;", "\n".join(used) + "\n")
    replace("src/main.rs", "{Api, ApiBuilder, cli}", "{Api, ApiBuilder, Error, cli}")
    insert("src/main.rs", "#[tokio::main]", re.search(r"(?ms)^async fn protected.*?^}\n", program).group() + "\n")
    books, loans = re.findall(SCOPES, section)
    for path in ["src/books.rs", "src/books2.rs"]:
        insert(path, "pub struct Book {", books + "\n")
    insert("src/loans.rs", "pub struct Loan {", loans + "\n")
    insert("src/loans.rs", "}\n\n#[derive(Debug, Default)]\npub struct Rules;", "".join(f"    {line}\n" for line in owner.splitlines()))
    insert("src/returns.rs", checked.splitlines()[1], checked.splitlines()[0] + "\n    ")
    replace("src/tests.rs", "let client = api.anonymous();", caller)
    with open("src/tests.rs", "a") as file:
        file.write(f"\n{refused}\n")
    with open("token.sh", "w") as file:
        file.write(re.search(r"(?ms)^```bash\n(# token.sh.*?)^```$", page).group(1))
    os.environ["DEVELOPMENT_SECRET"] = "at-least-32-bytes-that-nobody-else-knows"

    newcomer = Newcomer()
    try:
        for command in commands:
            # This one tells what the amendment behind it takes, and fails.
            newcomer.run(f"! {command}" if command == "cargo run -- lock" else command)
        newcomer.converse(re.search(r"(?ms)^```console\n(.*?)^```$", section).group(1))
    finally:
        newcomer.stop()
    print("the library is protected")


main(*sys.argv[1:])
