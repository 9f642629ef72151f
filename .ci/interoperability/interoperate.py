"""Authlib completes every flow against a running service: interoperate.py <base URL>, with
DEMO_CLIENT_ID, DEMO_CLIENT_SECRET and DEMO_PASSWORD in the environment."""

from authlib.integrations.base_client import OAuthError
from authlib.integrations.requests_client import OAuth2Session

from user import BASE, CLIENT, discover, of_user


def own_token(server, method):
    session = OAuth2Session(**CLIENT, scope="notes.read", token_endpoint_auth_method=method)
    token = session.fetch_token(server["token_endpoint"], grant_type="client_credentials")
    assert token["scope"] == "notes.read" and "refresh_token" not in token
    assert session.get(f"{BASE}/api/1.0/notes").status_code == 200


def main():
    server = discover()
    for method in ("client_secret_basic", "client_secret_post"):
        own_token(server, method)

    session = of_user(server)
    note = {"title": "From Python", "body": None}
    assert session.post(f"{BASE}/api/1.0/notes", json=note).status_code == 201
    page = session.get(f"{BASE}/api/1.0/notes").json()
    assert any(item["title"] == note["title"] for item in page["items"]), page

    def introspected(token):
        return session.introspect_token(server["introspection_endpoint"], token=token).json()

    told = introspected(session.token["access_token"])
    assert told["active"] and told["client_id"] == CLIENT["client_id"], told

    token = session.refresh_token(server["token_endpoint"])
    assert session.get(f"{BASE}/api/1.0/notes").status_code == 200
    revoked = session.revoke_token(server["revocation_endpoint"], token=token["refresh_token"])
    assert revoked.status_code == 200
    assert introspected(token["access_token"]) == {"active": False}
    assert session.get(f"{BASE}/api/1.0/notes").status_code == 401
    try:
        session.refresh_token(server["token_endpoint"], refresh_token=token["refresh_token"])
    except OAuthError as error:
        assert error.error == "invalid_grant", error
    else:
        raise AssertionError("a revoked token was refreshed")
    print("Authlib: passed")


main()
