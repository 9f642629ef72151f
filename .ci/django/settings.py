"""Settings of a Django project, whose database the environment names."""

import os

INSTALLED_APPS = ["django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions", "library"]
DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.postgresql",
        "HOST": os.environ["PGHOST"],
        "PORT": os.environ["PGPORT"],
        "USER": os.environ["PGUSER"],
        "NAME": os.environ["PGDATABASE"],
    }
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
SECRET_KEY = "of a test"
USE_TZ = True
