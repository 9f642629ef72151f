"""Prints an access token of a user for scopes, with the arguments and the environment of `user.py` and,
after the base URL, the user's name and the scopes."""

import sys

from user import discover, of_user

name, *scopes = sys.argv[2:]
print(of_user(discover(), name, " ".join(scopes)).token["access_token"])
