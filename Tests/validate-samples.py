#!/usr/bin/python3
"""Validates the descriptions of the sample shares against the share-package format.

    Tests/validate-samples.py [--verbose] [PATH…]     default: Samples/shares; a PATH is a folder of shares, one
                                                      NAME.share folder, or a JSON file

Needs Debian's python3-jsonschema. A case whose name begins with `broken-` is broken on purpose and must *not* be
valid; every other case must be valid. Prints the counts. Exit status: 0 all cases are as expected; 1 some are not;
2 the check cannot run.
"""

import json
import pathlib
import re
import sys

try:
    import jsonschema
except ImportError:
    print("validate-samples: /usr/bin/python3 has no jsonschema; apt-get install python3-jsonschema", file=sys.stderr)
    sys.exit(2)

ROOT = pathlib.Path(__file__).resolve().parent.parent
SHARES = ROOT / "Samples" / "shares"
PIPES = ROOT / "Samples" / "pipes"
SCHEMA = ROOT / "Samples" / "share.schema.json"
TABLE = ROOT / "Samples" / "README.md"
SPECIFICATION = ROOT / "Sources" / "Reading" / "Documentation.docc" / "SharePackageFormat.md"

# The limits that a schema cannot express.
DESCRIPTION_BYTES = 32 << 20
ATTACHMENTS = 10_000
NESTING = 512
ID_BYTES = 255


class Invalid(Exception):
    """Why a description is invalid: the place and the fault."""


def unique(pairs):
    keys = [key for key, _ in pairs]
    if len(keys) != len(set(keys)):
        raise Invalid(f"a key is given twice among {', '.join(keys)}")
    return dict(pairs)


def constant(name):
    raise Invalid(f"{name} is no JSON")


def parse(data):
    if len(data) > DESCRIPTION_BYTES:
        raise Invalid(f"{len(data)} bytes; {DESCRIPTION_BYTES} are allowed")
    try:
        return json.loads(data.decode("utf-8"), object_pairs_hook=unique, parse_constant=constant)
    except UnicodeDecodeError as error:
        raise Invalid(f"not UTF-8 at byte {error.start}") from error
    except json.JSONDecodeError as error:
        raise Invalid(f"not JSON: {error}") from error
    except RecursionError as error:
        raise Invalid(f"nested more than {NESTING} deep") from error


def check_depth(value):
    level, values = 1, [value]
    while values:
        if level > NESTING:
            raise Invalid(f"nested more than {NESTING} deep")
        below = []
        for value in values:
            if isinstance(value, (dict, list)):
                below += value.values() if isinstance(value, dict) else value
        level, values = level + 1, below


def place(path):
    """The place in the notation of Sluice: `items[0].attachments[2].name`."""
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return text or "the description"


def check(data, validator):
    """Raises Invalid unless the bytes are a valid description."""
    value = parse(data)
    check_depth(value)
    error = jsonschema.exceptions.best_match(validator.iter_errors(value))
    if error:
        raise Invalid(f"{place(error.absolute_path)}: {error.message[:200]}")
    if len(value.get("id", "").encode("utf-8")) > ID_BYTES:
        raise Invalid(f"id: more than {ID_BYTES} bytes")
    if sum(len(item.get("attachments", [])) for item in value["items"]) > ATTACHMENTS:
        raise Invalid(f"more than {ATTACHMENTS} attachments")


def descriptions(paths):
    """Yields the name of each case and the path of its description, which may be missing."""
    for path in paths:
        if path.suffix == ".share":
            yield path.stem, path / "share.json"
        elif path.is_dir():
            yield from ((folder.stem, folder / "share.json") for folder in sorted(path.glob("*.share")))
        else:
            yield path.stem, path


def verdict(read, validator):
    """The reason why the bytes of `read` are no valid description, or None."""
    try:
        check(read(), validator)
    except (Invalid, OSError) as error:
        return str(error)
    return None


def bad_examples(validator):
    """Yields the invalid examples of the specification."""
    examples = re.findall(r"^```json\n(.*?)^```$", SPECIFICATION.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    if not examples:
        yield f"{SPECIFICATION.name}: has no example"
    for example in examples:
        why = verdict(lambda: example.encode("utf-8"), validator)
        if why:
            yield f"{SPECIFICATION.name}: {why}"


def unlisted(names):
    """Yields cases without a row of their own in the tables of the samples, and rows without a case."""
    names = [*names, *(path.name for path in PIPES.iterdir() if path.suffix != ".expected")]
    rows = re.findall(r"^\| `([a-z0-9-]+)` \|", TABLE.read_text("utf-8"), re.MULTILINE)
    twice = sorted({row for row in rows if rows.count(row) > 1})
    yield from (f"{name}: has no row in {TABLE.name}" for name in sorted(set(names) - set(rows)))
    yield from (f"{name}: has a row in {TABLE.name}, and no folder" for name in sorted(set(rows) - set(names)))
    yield from (f"{name}: has more than one row in {TABLE.name}" for name in twice)


def main(arguments):
    verbose = "--verbose" in arguments
    paths = [pathlib.Path(argument) for argument in arguments if argument != "--verbose"]
    schema = json.loads(SCHEMA.read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    names, wrong, valid, broken = [], [], 0, 0
    for name, file in descriptions(paths or [SHARES]):
        names.append(name)
        why, is_meant_broken = verdict(file.read_bytes, validator), name.startswith("broken-")
        if verbose and why:
            print(f"{name}: {why}")
        if why and is_meant_broken:
            broken += 1
        elif why:
            wrong.append(f"{name}: {why}")
        elif is_meant_broken:
            wrong.append(f"{name}: is valid, but is named as broken; rename it, or break it")
        else:
            valid += 1
    if not names:
        print(f"validate-samples: no share in {', '.join(map(str, paths or [SHARES]))}", file=sys.stderr)
        return 2
    if not paths:
        wrong += [*unlisted(names), *bad_examples(validator)]
    for line in wrong:
        print(line, file=sys.stderr)
    print(f"{len(names)} descriptions: {valid} valid, {broken} broken on purpose, {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
