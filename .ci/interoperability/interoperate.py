"""Authlib completes every flow against a running service: interoperate.py <base URL>, with
DEMO_CLIENT_ID, DEMO_CLIENT_SECRET and DEMO_PASSWORD in the environment."""

import os
import re
import sys
from html import unescape
from urllib.parse import urljoin, urlsplit

import requests
from authlib.common.security import generate_token
from authlib.integrations.base_client import OAuthError
from authlib.integrations.requests_client import OAuth2Session
from authlib.oauth2.rfc8414 import AuthorizationServerMetadata, get_well_known_url

BASE = sys.argv[1]
CALLBACK = "http://127.0.0.1:49153/callback"
CLIENT = {
    "client_id": os.environ["DEMO_CLIENT_ID"],
    "client_secret": os.environ["DEMO_CLIENT_SECRET"],
}
# The service is on this machine, without TLS.
os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"


def discover():
    metadata = requests.get(get_well_known_url(BASE, external=True), timeout=10).json()
    server = AuthorizationServerMetadata(metadata)
    server.validate_issuer = lambda: None  # It wants https, which CI has not.
    server.validate()
    assert server["issuer"] == BASE, metadata
    return server


def called_back(url, name, password):
    """What a browser does for its user: answers the URL at which the client is called back."""
    browser = requests.Session()
    page = opened(browser, browser.get(url, allow_redirects=False, timeout=10))
    page = submitted(browser, page, name=name, password=password)
    page = submitted(browser, page, decision="approve")
    assert isinstance(page, str), page.text
    return page


def opened(browser, answer):
    while answer.is_redirect:
        url = urljoin(answer.url, answer.headers["location"])
        if urlsplit(url).netloc != urlsplit(BASE).netloc:
            return url
        answer = browser.get(url, allow_redirects=False, timeout=10)
    return answer


def submitted(browser, page, **fields):
    action, form = re.search(
        r'<form[^>]*action="([^"]*)"[^>]*>(.*?)</form>', page.text, re.DOTALL
    ).groups()
    hidden = re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)">', form)
    fields.update((name, unescape(value)) for name, value in hidden)
    url = urljoin(page.url, action)
    return opened(browser, browser.post(url, data=fields, allow_redirects=False, timeout=10))


def own_token(server, method):
    session = OAuth2Session(**CLIENT, scope="notes.read", token_endpoint_auth_method=method)
    token = session.fetch_token(server["token_endpoint"], grant_type="client_credentials")
    assert token["scope"] == "notes.read" and "refresh_token" not in token
    assert session.get(f"{BASE}/api/1.0/notes").status_code == 200


def of_user(server):
    session = OAuth2Session(
        **CLIENT,
        scope="notes.read notes.write",
        redirect_uri=CALLBACK,
        code_challenge_method="S256",
        token_endpoint=server["token_endpoint"],
    )
    verifier = generate_token(48)
    url, state = session.create_authorization_url(
        server["authorization_endpoint"], code_verifier=verifier
    )
    answer = called_back(url, "ben", os.environ["DEMO_PASSWORD"])
    session.fetch_token(
        authorization_response=answer, state=state, code_verifier=verifier
    )
    return session


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
