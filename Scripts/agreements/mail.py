#!/usr/bin/env python3
"""Compares what text-note finds in mails with what Python's `email` finds.

    Scripts/agreements/mail.py SINK [FOLDER]

SINK is the program text-note. FOLDER is a folder with mails; by default, it is $SLUICE_CORPUS. A file is a mail if it
begins with headers. Prints a Markdown table of counts, then each disagreement.
"""
import email
import email.policy
import os
import pathlib
import re
import sys

from deliveries import Deliveries
from pagewords import Page, print_rows, share, words

USUAL = re.compile(
    rb"^(from|to|subject|date|received|return-path|mime-version|message-id|content-type|x-[a-z-]+):", re.I)
FIELDS = ("subject", "from", "to", "cc", "date", "attachments", "words")


def is_mail(content):
    head = content.removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n ")[:4096].splitlines()
    if head and re.match(rb"From \S+ +\w{3} \w{3}", head[0]):
        head = head[1:]
    fields = []
    if head and head[0].upper().startswith(b"BEGIN:"):
        return False
    for line in head:
        if not line:
            break
        if re.match(rb"[!-9;-~]+:", line):
            fields.append(line)
        elif line[:1] not in (b" ", b"\t"):
            return False
    return sum(bool(USUAL.match(f)) for f in fields) >= 2


def quietly(function, default=None):
    """Python's parser of headers raises errors of many kinds for broken ones."""
    try:
        return function()
    except Exception:
        return default


def people(message, name):
    found = []
    for header in quietly(lambda: message.get_all(name), None) or []:
        for address in quietly(lambda: header.addresses, None) or []:
            found.append((address.display_name, address.addr_spec if address.domain else address.username))
    return [f"{name} <{spec}>" if name and spec else name or spec for name, spec in found]


def date(message):
    header = quietly(lambda: message["date"])
    moment = quietly(lambda: header.datetime)
    if moment is None:
        return ""
    return moment.isoformat()


def texts(part):
    """The texts of a part, and whether there are any."""
    kind = quietly(part.get_content_type, "text/plain")
    if kind == "multipart/encrypted":
        return ""
    if kind == "multipart/alternative" and part.is_multipart():
        found = [(p.get_content_type(), texts(p)) for p in part.iter_parts()]
        found = [f for f in found if words(f[1])]
        plain = [f for f in found if f[0] == "text/plain"]
        return (plain or found or [("", "")])[0][1]
    if kind.startswith("multipart/") and part.is_multipart():
        return "\n".join(texts(p) for p in part.get_payload())
    if part.is_multipart() and kind == "message/rfc822":
        return "\n".join(heading(m) + "\n" + texts(m) for m in part.get_payload())
    if part.is_multipart():
        return "\n".join(str(m) for m in part.get_payload())
    if not kind.startswith("text/") or kind in ("text/rtf", "text/css", "text/javascript"):
        return ""
    raw = part.get_payload(decode=True) or b""
    charset = quietly(part.get_content_charset) or "utf-8"
    text = quietly(lambda: raw.decode(charset, "replace")) or raw.decode("utf-8", "replace")
    return Page(text).text if kind == "text/html" else text


def heading(message):
    lines = [quietly(lambda: str(message["subject"] or ""), "")]
    lines += [f"{n} {' '.join(people(message, n))}" for n in ("from", "to", "cc") if people(message, n)]
    return "\n".join(lines + ([f"date {date(message)}"] if date(message) else []))


def names(message):
    found = []
    for part in message.walk():
        name = quietly(part.get_filename)
        if name and "signature" not in part.get_content_type() and not part.is_multipart():
            found.append(" ".join(name.split()))
    return list(dict.fromkeys(found))[:100]


def theirs(content):
    """What Python finds in a file of one message or of many."""
    lines = content.removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n ")
    parts = re.split(rb"(?m)^From [^\n]*\n", lines)[1:] if lines.startswith(b"From ") else [lines]
    messages = [email.message_from_bytes(p, policy=email.policy.default) for p in parts]
    found = {f: "" for f in FIELDS}
    if len(messages) == 1:
        found["subject"] = " ".join(quietly(lambda: str(messages[0]["subject"] or ""), "").split())
    found["date"] = next((date(m) for m in messages if date(m)), "")
    for name in ("from", "to", "cc"):
        found[name] = list(dict.fromkeys(p for m in messages for p in people(m, name)))[:100]
    found["attachments"] = list(dict.fromkeys(n for m in messages for n in names(m)))[:100]
    one = len(messages) == 1
    bodies = [("" if one else heading(m) + "\n") + quietly(lambda: texts(m), "") for m in messages]
    found["words"] = words("\n".join(bodies))
    return found


def main():
    sink = sys.argv[1]
    folder = sys.argv[2] if len(sys.argv) > 2 else os.environ["SLUICE_CORPUS"]
    deliveries = Deliveries(sink)
    agreed, counts, disagreements, total = dict.fromkeys(FIELDS, 0), dict.fromkeys(FIELDS, 0), [], 0
    for file in sorted(p for p in pathlib.Path(folder).rglob("*") if p.is_file()):
        content = file.read_bytes()
        if not is_mail(content):
            continue
        total += 1
        is_page = file.suffix in (".mht", ".mhtml")
        type = "application/x-mimearchive" if is_page else "message/rfc822"
        metadata, products = deliveries.deliver(file, type)
        python = theirs(content)
        ours = {f: metadata.get("title" if f == "subject" else f) or "" for f in FIELDS}
        ours["words"] = words(products["text"].read_text() if "text" in products else "")
        if "crash" in metadata or "fail" in metadata:
            disagreements.append((file, "crash", metadata, ""))
        for field in FIELDS:
            mine, other = ours[field], python[field]
            if field == "subject":
                mine = " ".join(mine.split())
            if isinstance(other, list):
                mine = mine or []
            counts[field] += bool(other) or bool(mine)
            if mine == other:
                agreed[field] += bool(other) or bool(mine)
            elif field == "words":
                count, lost, more, a, b = share(other, mine)
                disagreements.append((file, field, f"{lost} of {count} not found: {a}", f"{more} more: {b}"))
            else:
                disagreements.append((file, field, other, mine))
    deliveries.end()
    print(f"{total} files\n\n| finding | in files | equal |\n| --- | ---: | ---: |")
    for field in FIELDS:
        print(f"| {field} | {counts[field]} | {agreed[field]} |")
    print("\n| file | finding | Python's email | text-note |\n| --- | --- | --- | --- |")
    print_rows(disagreements)


if __name__ == "__main__":
    main()
