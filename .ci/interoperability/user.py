"""A user of the protected notes and their browser, for Authlib: base URL of the service as the
first argument, DEMO_CLIENT_ID, DEMO_CLIENT_SECRET and DEMO_PASSWORD in the environment."""

import os
import re
import sys
from html import unescape
from urllib.parse import urljoin, urlsplit

import requests
from authlib.common.security import generate_token
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


def of_user(server, name="ben", scope="notes.read notes.write"):
    session = OAuth2Session(
        **CLIENT,
        scope=scope,
        redirect_uri=CALLBACK,
        code_challenge_method="S256",
        token_endpoint=server["token_endpoint"],
    )
    verifier = generate_token(48)
    url, state = session.create_authorization_url(
        server["authorization_endpoint"], code_verifier=verifier
    )
    answer = called_back(url, name, os.environ["DEMO_PASSWORD"])
    session.fetch_token(
        authorization_response=answer, state=state, code_verifier=verifier
    )
    return session
