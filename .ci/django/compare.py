"""Compares what the service says with what Django reads, while Django goes on writing."""

import json
import sys
import threading
import urllib.error
import urllib.request

import django

django.setup()

from django.db import connection, connections
from django.db.models.functions import Collate
from library.models import Author, Book, Language

BASE = sys.argv[1].rstrip("/")
API = BASE if "/api" in BASE else f"{BASE}/api"


def call(method, path, body=None, headers=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{API}/1.0{path}", data, headers or {}, method=method)
    if data:
        request.add_header("Content-Type", "application/json")
    try:
        with urllib.request.urlopen(request) as response:
            text = response.read()
            return response.status, json.loads(text) if text else None, response.headers
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read() or "null"), error.headers


def read(path):
    status, body, _ = call("GET", path)
    assert status == 200, (path, status, body)
    return body


def same(found, expected):
    assert found == expected, (found, expected)


def ids(queryset):
    return list(queryset.values_list("pk", flat=True))


def all_ids(path):
    found, cursor = [], "start"
    while cursor:
        page = read(f"{path}&cursor={cursor}")
        found += [item["id"] for item in page["items"]]
        cursor = page["next"]
    return found


# Every value as Django has it.
for book in Book.objects.select_related("author"):
    item = read(f"/library-books/{book.pk}?fields=id,title,price,key,details,binding,pages,rating,created,author(name)")
    same(item["title"], book.title)
    same(item["price"], f"{book.price:.2f}")
    same(item["key"], str(book.key))
    same(item["details"], book.details)
    same(item["rating"], book.rating)
    same(item["author"]["name"], book.author.name)

# Orders by code point, whatever the collation of the column.
by_name = Author.objects.order_by(Collate("name", "C"), "pk")
same([item["id"] for item in read("/library-authors?order=asc(name)&limit=100")["items"]], ids(by_name))
same(read("/library-authors?filter=eq(name,%22ann%22)")["totalItems"], 1)
cheap = Book.objects.filter(price__lt="50").order_by("price", "pk")
same(all_ids("/library-books?filter=lt(price,%2250%22)&order=asc(price)&limit=7&fields=id"), ids(cheap))

# Totals and tags follow what Django writes.
path = f"/library-books/{Book.objects.first().pk}"
_, _, headers = call("GET", path)
Book.objects.filter(pk=path.rsplit("/", 1)[1]).update(pages=7)
same(call("GET", path, headers={"If-None-Match": headers["ETag"]})[0], 200)
same(call("PUT", path, {"pages": 8}, {"If-Match": headers["ETag"]})[0], 412)
before = read("/library-books")["totalItems"]
made = Book.objects.last()
made.pk, made.title, made.key = None, "One more", "00000000-0000-4000-8000-000000000000"
made.save()
same(read("/library-books")["totalItems"], before + 1)

# The join table of Django: one row a pair.
pair = {"book_id": made.pk, "language_id": Language.objects.first().pk}
status, body, headers = call("POST", "/library-book-languages", pair)
same(status, 201)
same(call("POST", "/library-book-languages", pair)[1]["error_code"], 10030)
same(ids(made.languages), [pair["language_id"]])

# Django's keys are deferred; the service refuses at once.
dangling = {"book_id": 10**9, "language_id": pair["language_id"]}
same(call("POST", "/library-book-languages", dangling)[1]["error_code"], 10031)
same(call("DELETE", f"/library-authors/{made.author_id}")[1]["error_code"], 10020)

# Each book exactly once, while Django adds and changes others.
known, stopped = set(ids(Book.objects)), threading.Event()


def write():
    book = Book.objects.first()
    number = 0
    while not stopped.is_set():
        number += 1
        book.pk, book.title, book.key = None, f"Later {number}", f"00000000-0000-4000-8001-{number:012}"
        book.save()
        Book.objects.filter(pk__in=known).order_by("?")[:1].get().save()
    connections.close_all()


writer = threading.Thread(target=write)
writer.start()
try:
    for _ in range(5):
        found = all_ids("/library-books?limit=9&fields=id")
        same(len(found), len(set(found)))
        assert known <= set(found)
finally:
    stopped.set()
    writer.join()
same(read("/library-books?limit=1")["totalItems"], Book.objects.count())
connection.close()
print("Django and the service agree")
