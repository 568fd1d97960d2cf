"""A small service for links, with the logins of the tests: tokens, passwords, and OAuth by Authlib.

It prints its port. `POST /control` changes it; `GET /control` shows what it has seen.
"""
import json
import os
import sys
import threading
import time

os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"

import base64
import hashlib

from authlib.integrations.flask_oauth2 import AuthorizationServer
from authlib.oauth2.rfc6749 import ClientMixin, TokenMixin
from authlib.oauth2.rfc6749.grants import RefreshTokenGrant
from authlib.oauth2.rfc8628 import DeviceAuthorizationEndpoint, DeviceCodeGrant, DeviceCredentialMixin
from flask import Flask, jsonify, request
from waitress import create_server

app = Flask(__name__)
app.config["OAUTH2_REFRESH_TOKEN_GENERATOR"] = True
lock = threading.RLock()
changed = threading.Condition()

state = {
    # Pasted tokens and passwords, with the persons.
    "tokens": {"token-of-ada": "ada", "token-of-bob": "bob"},
    "passwords": {"ada": "password-of-ada"},
    # Who approves a device code: a name, "denied" or None for later.
    "approval": None,
    "interval": 1,
    "expires_in": 3600,
    "device_expires_in": 600,
    # The number of polls that are answered with slow_down.
    "slow_down": 0,
    # The status of the next answers to /links and /me; 0 for the ordinary one.
    "links_status": 0,
    # The link that is always refused, whoever posts it.
    "refused_link": None,
    "links_delay": 0,
    # The same for /files, and headers of its answers.
    "files_status": 0,
    "files_headers": {},
    "files_delay": 0,
    # Whether the answer has the credential of the request: "plain", "header" or "base64".
    "echoes": None,
    "me_status": 0,
    "token_status": 0,
    # What /me says instead of the truth.
    "me": None,
    # Whether access tokens are refused, however good.
    "refuses_access": False,
    "delay": 0,
}
seen = {"links": [], "files": [], "waiting": 0, "keys": [], "refreshes": 0, "reuses": 0, "logins": 0, "refusals": 0, "polls": 0, "scopes": []}


class Client(ClientMixin):
    def get_client_id(self): return "sluice"
    def get_default_redirect_uri(self): return None
    def get_allowed_scope(self, scope): return scope or ""
    def check_redirect_uri(self, uri): return False
    def check_client_secret(self, secret): return False
    def check_endpoint_auth_method(self, method, endpoint): return True
    def check_response_type(self, kind): return False
    def check_grant_type(self, kind): return True


class Token(TokenMixin):
    def __init__(self, user, family, values):
        self.user, self.family, self.values = user, family, values
        self.issued, self.is_revoked, self.is_used = time.time(), False, False

    def check_client(self, client): return True
    def get_scope(self): return self.values.get("scope", "")
    def get_expires_in(self): return self.values.get("expires_in")
    def is_expired(self): return time.time() > self.issued + state["expires_in"]
    def get_user(self): return self.user
    def get_client(self): return Client()


class Credential(DeviceCredentialMixin):
    def __init__(self, values):
        self.values, self.issued = values, time.time()

    def get_client_id(self): return "sluice"
    def get_scope(self): return self.values.get("scope", "")
    def get_user_code(self): return self.values["user_code"]
    def is_expired(self): return time.time() > self.issued + state["device_expires_in"]


tokens, credentials, families = [], {}, [0]


def save(values, request):
    with lock:
        old = getattr(request, "refresh_token", None)
        if isinstance(old, Token):
            family = old.family
        else:
            families[0] += 1
            family = families[0]
            seen["logins"] += 1
        seen["scopes"].append(values.get("scope", ""))
        user = request.user
        tokens.append(Token(user, family, dict(values)))


server = AuthorizationServer(app, query_client=lambda name: Client() if name == "sluice" else None, save_token=save)


class Device(DeviceAuthorizationEndpoint):
    CLIENT_AUTH_METHODS = ["none"]

    def get_verification_uri(self): return request.host_url + "activate"

    def save_device_credential(self, client_id, scope, data):
        with lock:
            credentials[data["device_code"]] = Credential({**data, "scope": scope})


class DeviceGrant(DeviceCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["none"]

    def query_device_credential(self, code): return credentials.get(code)

    def query_user_grant(self, code):
        approval = state["approval"]
        if approval is None: return None
        return (None, False) if approval == "denied" else (approval, True)

    def should_slow_down(self, credential):
        with lock:
            seen["polls"] += 1
            if state["slow_down"] > 0:
                state["slow_down"] -= 1
                return True
        return False


class Refresh(RefreshTokenGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["none"]
    INCLUDE_NEW_REFRESH_TOKEN = True

    def authenticate_refresh_token(self, text):
        with lock:
            for token in tokens:
                if token.values.get("refresh_token") != text: continue
                if token.is_used:
                    # RFC 9700, section 4.14.2: someone has a copy of it, so all tokens of this login end.
                    seen["reuses"] += 1
                    for other in tokens:
                        if other.family == token.family: other.is_revoked = True
                if token.is_revoked: return None
                token.is_used = True
                seen["refreshes"] += 1
                return token
        return None

    def authenticate_user(self, token): return token.user
    def revoke_old_credential(self, token): token.is_used = True


server.register_grant(DeviceGrant)
server.register_grant(Refresh)
server.register_endpoint(Device)


@app.post("/device")
def device():
    Device.INTERVAL, Device.EXPIRES_IN = state["interval"], state["device_expires_in"]
    return server.create_endpoint_response(Device.ENDPOINT_NAME)


@app.post("/token")
def token():
    if state["delay"]: threading.Event().wait(state["delay"])
    if state["token_status"]:
        headers = {"Retry-After": "1"} if state["token_status"] == 503 else {}
        return jsonify(error="temporarily_unavailable"), state["token_status"], headers
    response = server.create_token_response()
    if response.status_code == 200:
        values = response.get_json()
        values["expires_in"] = state["expires_in"]
        response.set_data(json.dumps(values))
    return response


def person():
    """The person of the request; None if the service refuses it."""
    given = request.authorization
    if given is None: return None
    if given.type == "basic":
        return given.username if state["passwords"].get(given.username) == given.password else None
    if given.token in state["tokens"]: return state["tokens"][given.token]
    if state["refuses_access"]: return None
    with lock:
        for known in tokens:
            if known.values.get("access_token") == given.token:
                return None if known.is_revoked or known.is_expired() else known.user
    return None


@app.get("/me")
def me():
    if state["me_status"]: return jsonify(error="no"), state["me_status"]
    user = person()
    if user is None: return jsonify(error="invalid_token"), 401
    return jsonify(account={"login": state["me"] or user})


@app.post("/links")
def links():
    if state["links_delay"]: threading.Event().wait(state["links_delay"])
    if state["links_status"]: return jsonify(error="no"), state["links_status"]
    user = person()
    with lock:
        if user is None or request.get_json()["url"] == state["refused_link"]:
            seen["refusals"] += 1
            return jsonify(error="invalid_token"), 401
        key = request.headers.get("Idempotency-Key")
        if key in seen["keys"]:
            return jsonify(known=True), 200, {"Idempotent-Replayed": "true"}
        seen["keys"].append(key)
        seen["links"].append([user, request.get_json()["url"]])
    return jsonify(known=False), 201


@app.route("/files/<path:name>", methods=["GET", "PUT", "POST", "PROPFIND"])
def files(name):
    body = request.get_data()
    with lock: seen["waiting"] += 1
    # A change of the delay ends the waits.
    with changed: changed.wait_for(lambda: not state["files_delay"], state["files_delay"])
    given = request.headers.get("Authorization", "")
    if state["echoes"] == "plain": return "you are " + given, 200
    if state["echoes"] == "header": return "", 200, {"X-You": given}
    if state["echoes"] == "base64": return base64.b64encode(given.encode()), 200
    if state["files_status"]: return jsonify(error="no"), state["files_status"], state["files_headers"]
    user = person()
    with lock:
        if user is None:
            seen["refusals"] += 1
            return jsonify(error="invalid_token"), 401
        key = request.headers.get("Idempotency-Key")
        if key in seen["keys"]: return jsonify(known=True), 200, {"Idempotent-Replayed": "true"}
        if key: seen["keys"].append(key)
        seen["files"].append([user, request.method, name, len(body), hashlib.sha256(body).hexdigest()])
    return jsonify(known=False), 201


@app.route("/control", methods=["GET", "POST"])
def control():
    with lock:
        if request.method == "POST":
            change = request.get_json()
            if change.pop("revoke", False):
                for known in tokens: known.is_revoked = True
            state.update(change)
            with changed: changed.notify_all()
        secrets = [t.values[k] for t in tokens for k in ("access_token", "refresh_token") if k in t.values]
        return jsonify(seen=seen, secrets=secrets)


listener = create_server(app, host="127.0.0.1", port=0, threads=16)
print(listener.effective_port, flush=True)
# The end of the tests ends the service.
threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
listener.run()
