// Written by Scripts/embed-examples from Plugins/examples.
// swift-format-ignore-file

extension SinkTemplate {
    /// All files of the examples. Each path starts with the name of its example.
    static let files: [File] = [
        File(path: "checksum/README.md", isExecutable: false, withMargin: ##"""
            |# checksum
            |
            |A sink for Sluice that accepts any file and computes its MD5 digest. It is a shell script that uses `jq`. It answers one
            |delivery and exits (`max_deliveries`); the host starts it again for the next one.
            |
            |    sluice sinks run . samples/hello/content.txt     hand it a file, and print its answer
            |    sluice sinks test .                              check the protocol and the samples
            |
            |`sink.json` lists the types that it accepts. Its output on standard error is its log; standard output is for messages
            |only. A sample is a folder in `samples` with a content file and the expected answer.
            |
            |To install the sink, copy this folder to `~/.local/share/sluice/sinks/checksum`.
            """##),
        File(path: "checksum/checksum", isExecutable: true, withMargin: ##"""
            |#!/bin/sh
            |# Computes the MD5 digest of a file. It answers one delivery and exits; the host starts it again for the next one.
            |say() { jq -cn --arg id "$id" --arg text "$text" "$1"; }
            |tell() { printf %s "$message" | jq "$@"; }
            |read -r message && tell -e '.hello | .protocol == 1 and (.requires // []) == []' >/dev/null || exit 1
            |say '{hello: {protocol: 1, id: "checksum", version: "1.0.0", max_deliveries: 1}}'
            |read -r message && say '{ready: {}}'
            |while [ -z "$id" ]; do read -r message && ! tell -e .goodbye >/dev/null || exit 0; id=$(tell -r '.deliver.id // empty'); done
            |text=$(md5sum <"$(tell -r '.deliver.parts[0].path')") && text=${text%% *} &&
            |    say '{done: {id: $id, status: "delivered", metadata: {md5: $text}}}' ||
            |    say '{fail: {id: $id, class: "transient", why: "the content cannot be read; see the log"}}'
            """##),
        File(path: "checksum/samples/hello/content.txt", isExecutable: false, withMargin: ##"""
            |hello world
            |hello again, world
            """##),
        File(path: "checksum/samples/hello/expected.json", isExecutable: false, withMargin: ##"""
            |{"status": "delivered", "metadata": {"md5": "2499e17e5f9f0cf45949ec4192e5d9a6"}, "products": []}
            """##),
        File(path: "checksum/sink.json", isExecutable: false, withMargin: ##"""
            |{
            |  "id": "checksum",
            |  "version": "1.0.0",
            |  "protocol": 1,
            |  "command": ["checksum"],
            |  "accepts": [{ "type": "*/*" }],
            |  "role": "also"
            |}
            """##),
        File(path: "line-count/.gitignore", isExecutable: false, withMargin: ##"""
            |.build/
            |/line-count
            """##),
        File(path: "line-count/Package.swift", isExecutable: false, withMargin: ##"""
            |// swift-tools-version: 6.2
            |import PackageDescription
            |
            |let package = Package(
            |    name: "line-count",
            |    platforms: [.macOS(.v15)],
            |    dependencies: [.package(name: "sluice", path: "../../..")],
            |    targets: [
            |        .executableTarget(name: "line-count", dependencies: [.product(name: "SinkKit", package: "sluice")])
            |    ]
            |)
            """##),
        File(path: "line-count/README.md", isExecutable: false, withMargin: ##"""
            |# line-count
            |
            |A sink for Sluice that accepts text and counts its lines. It is a Swift program; `SinkKit` implements the protocol.
            |
            |    swift build -c release                           the first build also builds SinkKit
            |    ln -sf .build/release/line-count line-count
            |    sluice sinks run . samples/hello/content.txt     hand it a file, and print its answer
            |    sluice sinks test .                              check the protocol and the samples
            |
            |`sink.json` lists the types that it accepts. `Sources/line-count/LineCount.swift` is the whole program. A sample is a
            |folder in `samples` with a content file and the expected answer.
            |
            |To install the sink, copy `sink.json` and `.build/release/line-count` to `~/.local/share/sluice/sinks/line-count`.
            """##),
        File(path: "line-count/Sources/line-count/LineCount.swift", isExecutable: false, withMargin: ##"""
            |import Foundation
            |import SinkKit
            |
            |/// Counts the lines of a text. `print` writes to the log, not into the protocol.
            |@main struct LineCount: Sink {
            |    static let id = "line-count"
            |    static let version = "1.0.0"
            |
            |    mutating func deliver(_ delivery: Delivery, report: Report) throws -> Settlement {
            |        guard let path = delivery.parts[0].path, let file = FileHandle(forReadingAtPath: path) else {
            |            throw SinkFailure(.transient, "the content cannot be read")
            |        }
            |        defer { try? file.close() }
            |        var lines: Int64 = 0
            |        while let bytes = try file.read(upToCount: 1 << 20), !bytes.isEmpty {
            |            lines += Int64(bytes.count { $0 == UInt8(ascii: "\n") })
            |            try report.progress()
            |        }
            |        return .delivered(metadata: ["lines": .integer(lines)])
            |    }
            |}
            """##),
        File(path: "line-count/samples/hello/content.txt", isExecutable: false, withMargin: ##"""
            |hello world
            |hello again, world
            """##),
        File(path: "line-count/samples/hello/expected.json", isExecutable: false, withMargin: ##"""
            |{"status": "delivered", "metadata": {"lines": 2}, "products": []}
            """##),
        File(path: "line-count/sink.json", isExecutable: false, withMargin: ##"""
            |{
            |  "id": "line-count",
            |  "version": "1.0.0",
            |  "protocol": 1,
            |  "command": ["line-count"],
            |  "accepts": [{ "type": "text/plain" }],
            |  "role": "also"
            |}
            """##),
        File(path: "post-link/README.md", isExecutable: false, withMargin: ##"""
            |# post-link
            |
            |Posts each link to a service, as the person who is logged in there. It shows how a sink uses an account: `sluice` gives it the
            |token as a secret, and a failure of the class `auth` makes the account need a login.
            |
            |In `sinks/post-link.json` of your configuration folder:
            |
            |```json
            |{
            |  "network": true,
            |  "config": { "url": "https://notes.example/api/links" },
            |  "secrets": { "token": { "account": "notes" } }
            |}
            |```
            |
            |With an account of the kind `password`, add `"password": true` to `config`. Then `sluice account add notes --kind token`, `sluice account login notes`, and share a link.
            """##),
        File(path: "post-link/post-link", isExecutable: true, withMargin: ##"""
            |#!/usr/bin/env python3
            |"""Posts links to a service, as the person who is logged in there."""
            |import base64
            |import json
            |import sys
            |import urllib.error
            |import urllib.request
            |
            |
            |def say(**message):
            |    print(json.dumps(message), flush=True)
            |
            |
            |def authorization(token, is_password):
            |    # The secret of an account with a password is user:password (RFC 7617).
            |    if is_password:
            |        return "Basic " + base64.b64encode(token.encode()).decode()
            |    return "Bearer " + token
            |
            |
            |def post(delivery, config, token):
            |    url = config["url"]
            |    with open(delivery["parts"][0]["path"], encoding="utf-8") as file:
            |        link = file.read().strip()
            |    body = json.dumps({"url": link, "title": delivery.get("title", "")}).encode()
            |    headers = {
            |        "Authorization": authorization(token, config["password"]),
            |        "Content-Type": "application/json",
            |        # The service does nothing if it has seen this key, so a repetition does no harm.
            |        "Idempotency-Key": delivery["key"],
            |    }
            |    request = urllib.request.Request(url, body, headers)
            |    # The variables of the environment must not send the token elsewhere.
            |    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
            |    try:
            |        with opener.open(request, timeout=30) as response:
            |            known = response.headers.get("Idempotent-Replayed") == "true"
            |            return {"done": {"id": delivery["id"], "status": "duplicate" if known else "delivered"}}
            |    except urllib.error.HTTPError as error:
            |        failure = {"id": delivery["id"], "why": f"{url} answers {error.code}"}
            |        if error.code == 401:
            |            failure["class"] = "auth"
            |        elif error.code in (408, 425, 429) or error.code >= 500:
            |            failure["class"] = "transient"
            |            after = error.headers.get("Retry-After", "")
            |            if after.isdigit():
            |                failure["retry_after_ms"] = int(after) * 1000
            |        else:
            |            failure["class"] = "permanent"
            |        return {"fail": failure}
            |    except OSError as error:
            |        return {"fail": {"id": delivery["id"], "class": "transient", "why": f"{url} cannot be reached: {error}"}}
            |
            |
            |config = token = None
            |for line in sys.stdin:
            |    message = json.loads(line)
            |    if "hello" in message:
            |        if message["hello"]["protocol"] != 1 or message["hello"].get("requires"):
            |            sys.exit("post-link speaks version 1 of the sink protocol, without features")
            |        say(hello={"protocol": 1, "id": "post-link", "version": "1.0.0"})
            |    elif "configure" in message:
            |        config = message["configure"]["config"]
            |        token = message["configure"]["secrets"]["token"]
            |        say(ready={})
            |    elif "deliver" in message:
            |        print(json.dumps(post(message["deliver"], config, token)), flush=True)
            |    elif "goodbye" in message:
            |        break
            """##),
        File(path: "post-link/sink.json", isExecutable: false, withMargin: ##"""
            |{
            |  "id": "post-link",
            |  "version": "1.0.0",
            |  "protocol": 1,
            |  "command": ["post-link"],
            |  "accepts": [{ "type": "text/uri-list" }],
            |  "role": "also",
            |  "needs": { "network": true },
            |  "secrets": ["token"],
            |  "idempotent": true,
            |  "config": {
            |    "type": "object",
            |    "required": ["url"],
            |    "properties": {
            |      "url": { "type": "string", "pattern": "^https?://" },
            |      "password": { "type": "boolean", "default": false }
            |    },
            |    "additionalProperties": false
            |  }
            |}
            """##),
        File(path: "send-file/README.md", isExecutable: false, withMargin: ##"""
            |# send-file
            |
            |Sends the content of each share to a service: `PUT <address of the account>/<beginning of its digest>-<name of the file>`. It shows how a sink sends without a
            |network and without a password. It describes each request, and `sluice` makes it, with the credential of the person who is logged in.
            |
            |Copy this folder into `~/.local/share/sluice/sinks`. In `sinks/send-file.json` of your configuration folder:
            |
            |```json
            |{ "account": "files" }
            |```
            |
            |Then `sluice account add files --kind password --url https://files.example/inbox`, `sluice account login files --user ada`, and share a
            |file. A WebDAV folder is such a service: a repetition replaces a file by the same one, so `sink.json` may say `"idempotent": true`.
            """##),
        File(path: "send-file/send-file", isExecutable: true, withMargin: ##"""
            |#!/usr/bin/env python3
            |"""Sends the content of each share to a service. It has no network and no password: the host makes its requests."""
            |import json
            |import sys
            |import urllib.parse
            |
            |
            |def say(**message):
            |    print(json.dumps(message), flush=True)
            |
            |
            |def listen():
            |    line = sys.stdin.readline()
            |    return json.loads(line) if line else {"goodbye": {}}
            |
            |
            |def ask(delivery, **request):
            |    """The host's answer to a request. This sink has one delivery at a time, so no other message comes before it but a cancel."""
            |    say(request={"id": delivery["id"], "name": "send", **request})
            |    while True:
            |        message = listen()
            |        if "response" in message:
            |            return message["response"]
            |        if "goodbye" in message:
            |            sys.exit("the host ended before it answered")
            |
            |
            |def put(delivery, number):
            |    """Sends one part. Returns the message that ends the delivery, if that failed."""
            |    part = delivery["parts"][number]
            |    response = ask(
            |        delivery,
            |        method="PUT",
            |        # Below the address of the account. The host adds the person's credential. The same content has the same name, and other
            |        # content another one.
            |        url="/" + urllib.parse.quote(part["sha256"][:12] + "-" + part["name"], safe=""),
            |        account=True,
            |        headers={
            |            "Content-Type": part["type"],
            |            # The service does nothing if it has seen this key, so a repetition does no harm.
            |            "Idempotency-Key": f"{delivery['key']}-{number}",
            |        },
            |        body={"part": number},
            |    )
            |    if "failure" in response:
            |        failure = response["failure"]
            |        return {"fail": {"id": delivery["id"], "class": failure["class"], "why": failure["why"]}}
            |    status = response["status"]
            |    if 200 <= status < 300:
            |        return None
            |    failure = {"id": delivery["id"], "class": "permanent", "why": f"the service answers {status}"}
            |    if status == 401:
            |        failure["class"] = "auth"
            |    elif status in (408, 425, 429) or status >= 500:
            |        failure["class"] = "transient"
            |        after = response.get("headers", {}).get("retry-after", "")
            |        if after.isascii() and after.isdigit() and len(after) < 9:
            |            failure["retry_after_ms"] = int(after) * 1000
            |    return {"fail": failure}
            |
            |
            |def send(delivery):
            |    for number in range(len(delivery["parts"])):
            |        failure = put(delivery, number)
            |        if failure:
            |            return failure
            |    return {"done": {"id": delivery["id"], "status": "delivered"}}
            |
            |
            |while True:
            |    message = listen()
            |    if "hello" in message:
            |        if message["hello"]["protocol"] != 1 or message["hello"].get("requires"):
            |            sys.exit("send-file speaks version 1 of the sink protocol, and no host may require a feature of it")
            |        say(hello={"protocol": 1, "id": "send-file", "version": "1.0.0", "features": ["transfer"], "requires": ["transfer"]})
            |    elif "configure" in message:
            |        say(ready={})
            |    elif "deliver" in message:
            |        print(json.dumps(send(message["deliver"])), flush=True)
            |    elif "goodbye" in message:
            |        break
            """##),
        File(path: "send-file/sink.json", isExecutable: false, withMargin: ##"""
            |{
            |  "id": "send-file",
            |  "version": "1.0.0",
            |  "protocol": 1,
            |  "command": ["send-file"],
            |  "accepts": [{ "type": "*/*" }],
            |  "role": "also",
            |  "needs": { "requests": true },
            |  "idempotent": true
            |}
            """##),
        File(path: "word-count/README.md", isExecutable: false, withMargin: ##"""
            |# word-count
            |
            |A sink for Sluice that accepts text, counts its words, and writes the most frequent ones to a product. It is a Python
            |program without other packages. One process handles many deliveries.
            |
            |    sluice sinks run . samples/hello/content.txt     hand it a file, and print its answer
            |    sluice sinks test .                              check the protocol and the samples
            |
            |`sink.json` lists the types that it accepts. To change its work, edit `deliver`; to change its types, edit `accepts`. A
            |sample is a folder in `samples` with a content file and the expected answer.
            |
            |To install the sink, copy this folder to `~/.local/share/sluice/sinks/word-count`. The number of words in the product is
            |a setting in `~/.config/sluice/sinks/word-count.json`: `{"config": {"most": 3}}`.
            """##),
        File(path: "word-count/samples/hello/content.txt", isExecutable: false, withMargin: ##"""
            |hello world
            |hello again, world
            """##),
        File(path: "word-count/samples/hello/expected.json", isExecutable: false, withMargin: ##"""
            |{"status": "delivered", "metadata": {"words": 5}, "products": [{"path": "words.json", "role": "words", "type": "application/json"}]}
            """##),
        File(path: "word-count/sink.json", isExecutable: false, withMargin: ##"""
            |{
            |  "id": "word-count",
            |  "version": "1.0.0",
            |  "protocol": 1,
            |  "command": ["word-count"],
            |  "accepts": [{ "type": "text/plain" }],
            |  "role": "also",
            |  "config": {
            |    "type": "object",
            |    "properties": { "most": { "type": "integer", "minimum": 1, "maximum": 1000, "default": 10 } },
            |    "additionalProperties": false
            |  }
            |}
            """##),
        File(path: "word-count/word-count", isExecutable: true, withMargin: ##"""
            |#!/usr/bin/env python3
            |"""Counts the words of a text, and writes the most frequent ones to a product."""
            |import collections
            |import json
            |import os
            |import sys
            |
            |
            |def say(name, **body):
            |    """Standard output is for messages only, one JSON object on each line. `print(…, file=sys.stderr)` writes to the log."""
            |    sys.stdout.write(json.dumps({name: body}) + "\n")
            |    sys.stdout.flush()
            |
            |
            |def greet(hello):
            |    if hello["protocol"] != 1 or hello.get("requires"):
            |        sys.exit(f"word-count speaks version 1 of the protocol without optional features; the host requires {hello}")
            |    say("hello", protocol=1, id="word-count", version="1.0.0")
            |
            |
            |def deliver(delivery, most):
            |    words = collections.Counter()
            |    with open(delivery["parts"][0]["path"], encoding="utf-8", errors="replace") as text:
            |        for line in text:
            |            words.update(line.lower().split())
            |    # Words with equal counts are in alphabetical order, so that the same content always gives the same product.
            |    ranked = sorted(words.items(), key=lambda item: (-item[1], item[0]))[:most]
            |    with open(os.path.join(delivery["out"], "words.json"), "w", encoding="utf-8") as out:
            |        json.dump(ranked, out)
            |    product = {"path": "words.json", "role": "words", "type": "application/json"}
            |    say("done", id=delivery["id"], status="delivered", metadata={"words": sum(words.values())}, products=[product])
            |
            |
            |config = {}
            |for line in sys.stdin:
            |    message = json.loads(line)
            |    if "hello" in message:
            |        greet(message["hello"])
            |    elif "configure" in message:
            |        config = message["configure"]["config"]
            |        say("ready")
            |    elif "deliver" in message:
            |        try:
            |            deliver(message["deliver"], config.get("most", 10))
            |        except OSError as error:
            |            say("fail", id=message["deliver"]["id"], **{"class": "transient"}, why=f"{error}; is the disk full?")
            |    elif "goodbye" in message:
            |        break
            """##),
    ]
}
