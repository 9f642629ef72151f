"""Runs the commands that a guide shows to clients, with the arguments and the environment of `user.py` and, after the base
URL, the guide, and the id of a public client."""

import json
import os
import re
import subprocess
import sys
from urllib.parse import parse_qs, urlsplit

from user import BASE, CLIENT, called_back

guide, public = sys.argv[2:]
section = re.search(r"(?ms)^# Requests of clients\n(.*?)^# [A-Z]", open(guide).read()).group(1)
to_get, as_itself, for_a_user, later, introspection = re.findall(r"(?ms)^```\w+\n(.*?)^```", section)


def run(commands, **variables):
    """The last line that the commands print."""
    script = "set -euo pipefail\ncurl() { command curl --fail-with-body -sS \"$@\"; echo; }\n"
    script += commands.replace("https://notes.example.com", BASE)
    done = subprocess.run(["bash", "-c", script], env=os.environ | variables, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.strip().splitlines()


def told(commands):
    """The members of the answer that the guide shows in a comment."""
    return re.findall(r'"(\w+)":', re.search(r"(?m)^# (\{.*\})$", commands).group(1))


for path in re.findall(r"GET (\S+)", to_get):
    run(f"curl https://notes.example.com{path}")

own = {name.upper(): value for name, value in CLIENT.items()}
token, use = as_itself.split("\ncurl ")
answer = json.loads(run(token, **own)[-1])
assert sorted(answer) == sorted(told(as_itself)), answer
run("curl " + use, ACCESS_TOKEN=answer["access_token"])
# A client may ask for its own tokens, as a gateway for all.
asked = json.loads(run(introspection, ACCESS_TOKEN=answer["access_token"], **own)[-1])
assert asked["active"] and set(told(introspection)) <= set(asked), asked

# What the user does in the browser is between the address and the code that is exchanged.
ask, shown, exchange = re.split(r"(?m)^# (https.*)\n", for_a_user)
state = "a state of the client's own"
*_, address, verifier = run(ask + 'echo "$VERIFIER"', CLIENT_ID=public, STATE=state.replace(" ", "+"))
back = called_back(address, "ben", os.environ["DEMO_PASSWORD"])
parts = {name: value for name, [value] in parse_qs(urlsplit(back).query).items()}
assert list(parts) == list(parse_qs(urlsplit(shown).query)), back
assert parts["state"] == state and parts["iss"] == BASE, back
answer = json.loads(run(exchange, CLIENT_ID=public, CODE=parts["code"], VERIFIER=verifier)[-1])

run("curl " + use, ACCESS_TOKEN=answer["access_token"])
run(later, CLIENT_ID=public, REFRESH_TOKEN=answer["refresh_token"])
refused = subprocess.run(["curl", "-sS", f"{BASE}/api/1.0/notes", "-H", f"Authorization: Bearer {answer['access_token']}"],
                         capture_output=True, text=True, check=True).stdout
assert json.loads(refused)["error_code"] == 12100, refused
print("commands of the guide: passed")
