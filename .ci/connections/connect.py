"""Requests that are answered before their body was read, again and again on one connection, by curl and
clients of Python: connect.py <base URL> <access token> <client>. No error of the connection is forgiven."""

import asyncio
import http.client
import json
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import aiohttp
import httpx

BASE, TOKEN, CLIENT = sys.argv[1:]
CASES = json.loads(Path(__file__).with_name("cases.json").read_text())
ROUNDS = 100
PIECE = 16 * 1024


def request(case):
    """The headers and the body of a case."""
    headers = {"Content-Type": case.get("type", "application/json")}
    if "token" in case:
        headers["Authorization"] = f"Bearer {TOKEN}"
    start, end = b'{"title":"A long one","body":"', b'"}'
    filling = case["length"] - len(start) - len(end)
    return headers, start + b"a" * filling + end if filling > 0 else b""


def pieces(body):
    for start in range(0, len(body), PIECE):
        yield body[start : start + PIECE]


async def late_pieces(body):
    for piece in pieces(body):
        yield piece


def check(case, status):
    assert status == case["status"], f"{status} instead of {case}"


def with_http_client():
    connection = http.client.HTTPConnection(urlsplit(BASE).netloc, timeout=10)
    for case in CASES * ROUNDS:
        headers, body = request(case)
        if "chunked" in case:
            headers["Transfer-Encoding"] = "chunked"
            body = pieces(body)
        chunked = "chunked" in case
        connection.request(case["method"], case["path"], body, headers, encode_chunked=chunked)
        answer = connection.getresponse()
        answer.read()
        check(case, answer.status)


async def with_aiohttp():
    connector = aiohttp.TCPConnector(limit=1)
    async with aiohttp.ClientSession(BASE, connector=connector) as session:
        for case in CASES * ROUNDS:
            headers, body = request(case)
            data = late_pieces(body) if "chunked" in case else body
            sent = session.request(case["method"], case["path"], data=data, headers=headers)
            async with sent as answer:
                await answer.read()
                check(case, answer.status)


def with_httpx():
    with httpx.Client(base_url=BASE, http1=False, http2=True, timeout=10) as client:
        for case in CASES * ROUNDS:
            headers, body = request(case)
            content = pieces(body) if "chunked" in case else body
            answer = client.request(case["method"], case["path"], content=content, headers=headers)
            assert answer.http_version == "HTTP/2"
            check(case, answer.status_code)


def with_curl(protocol):
    """One run of curl for all of them, so that it keeps its connection, where it can."""
    # Where an answer of 200 ends before a long request does, curl 7.88 waits for ever over HTTP/2.
    early = protocol == "http2-prior-knowledge"
    cases = [case for case in CASES if not (early and case.get("unheard"))]
    wanted = []
    for number, case in enumerate(cases):
        headers, body = request(case)
        if "chunked" in case:
            headers["Transfer-Encoding"] = "chunked"
        file = Path(f"curl{protocol}.{number}")
        file.write_bytes(body)
        lines = [protocol, f"request {case['method']}", f"url {BASE}{case['path']}"]
        lines += [f'header "{name}: {value}"' for name, value in headers.items()]
        lines += [f"data-binary @{file}", "output /dev/null", r'write-out "%{http_code} %{errormsg}\n"']
        wanted.append("\n".join(lines))
    # curl 7.88 breaks the second request on a connection that begins with HTTP/2, with other servers, too.
    rounds = 10 if early else ROUNDS
    together = 1 if early else rounds * len(cases)
    for start in range(0, len(cases) * rounds, together):
        config = "\nnext\n".join((wanted * rounds)[start : start + together])
        command = ["curl", "--silent", "--show-error", "--config", "-"]
        told = subprocess.run(command, input=config, capture_output=True, text=True)
        assert told.returncode == 0, told.stderr[:500]
        asked = (cases * rounds)[start : start + together]
        for case, line in zip(asked, told.stdout.splitlines(), strict=True):
            assert line == f"{case['status']} ", f"{line} instead of {case}"


match CLIENT:
    case "http.client":
        with_http_client()
    case "aiohttp":
        asyncio.run(with_aiohttp())
    case "httpx":
        with_httpx()
    case "curl":
        with_curl("http1.1")
    case "curl over HTTP/2":
        with_curl("http2-prior-knowledge")
print(f"{CLIENT}: passed")
