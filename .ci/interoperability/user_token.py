"""Prints an access token of an administrator, with the arguments and the environment of `user.py`."""

from user import discover, of_user

scope = "notes.read notes.write notes.admin"
print(of_user(discover(), "ann", scope).token["access_token"])
