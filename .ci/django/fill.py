"""Fills the tables through Django."""

import random
from datetime import date, time, timedelta
from decimal import Decimal

import django

django.setup()

from django.contrib.auth.models import Group, User
from library.models import Author, Book, Language, Publisher

RANDOM = random.Random(7)

languages = [Language.objects.create(code=code, title=title) for code, title in [("de", "Deutsch"), ("ja", "日本語")]]
publisher = Publisher.objects.create(code="north-sea", homepage="https://example.org/?a=b", address="2001:db8::1")
authors = []
for name in ["Ann", "ann", "Älfric", "Zoë", "zoe", "Émile"]:
    mentor = RANDOM.choice([None, *authors])
    authors.append(Author.objects.create(name=name, born=date(1950 + len(authors), 2, 28), mentor=mentor))
for number in range(200):
    book = Book.objects.create(
        title=f"Book {number}",
        author=RANDOM.choice(authors),
        publisher=RANDOM.choice([None, publisher]),
        price=Decimal(RANDOM.randrange(10_000)) / 100,
        rating=RANDOM.choice([None, RANDOM.random()]),
        pages=RANDOM.randrange(2_000),
        binding=RANDOM.choice(Book.Binding.values),
        details={"number": number, "tags": ["a", None]},
        cover=RANDOM.choice([None, RANDOM.randbytes(9)]),
        opens=RANDOM.choice([None, time(7, 8, 9, 500_000)]),
        reading_time=RANDOM.choice([None, timedelta(days=1, hours=2)]),
    )
    book.languages.set(RANDOM.sample(languages, RANDOM.randrange(3)))
User.objects.create_user("ann", password="a password", email="ann@example.org").groups.add(
    Group.objects.create(name="Editors")
)
