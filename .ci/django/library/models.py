"""Models with the fields that Django projects have most."""

import uuid

from django.db import models


class Author(models.Model):
    name = models.CharField(max_length=80, db_index=True)
    born = models.DateField(null=True, blank=True)
    mentor = models.ForeignKey("self", models.SET_NULL, null=True, related_name="students")


class Publisher(models.Model):
    code = models.SlugField(primary_key=True)
    homepage = models.URLField(blank=True)
    address = models.GenericIPAddressField(null=True)


class Language(models.Model):
    code = models.CharField(max_length=8, unique=True)
    title = models.TextField()


class Book(models.Model):
    class Binding(models.TextChoices):
        PAPER = "paper"
        CLOTH = "cloth"

    key = models.UUIDField(unique=True, default=uuid.uuid4)
    title = models.CharField(max_length=200)
    author = models.ForeignKey(Author, models.PROTECT, related_name="books")
    publisher = models.ForeignKey(Publisher, models.CASCADE, null=True)
    languages = models.ManyToManyField(Language, related_name="books")
    price = models.DecimalField(max_digits=10, decimal_places=2)
    rating = models.FloatField(null=True)
    pages = models.PositiveIntegerField()
    shelf = models.SmallIntegerField(default=0)
    binding = models.CharField(max_length=5, choices=Binding.choices)
    is_sold = models.BooleanField(default=False)
    details = models.JSONField(default=dict)
    cover = models.BinaryField(null=True)
    opens = models.TimeField(null=True)
    reading_time = models.DurationField(null=True)
    created = models.DateTimeField(auto_now_add=True)
    changed = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["author", "title"], name="one_title")]
        indexes = [models.Index(fields=["title", "created"])]
