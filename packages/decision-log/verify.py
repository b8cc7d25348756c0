"""Checks the chain of one file of records: python3 verify.py FILE. Names each record that is not as it was written."""
import base64, hashlib, re, sys

# A line is canonical JSON (RFC 8785): keys are sorted, and quotes within strings are escaped. So it can be cut instead of being
# written again: no key named "hash" or "payload" comes before the record's own, and none named "payloadHash" after it.
# An erasure has no payload.
RECORD = re.compile(rb'(\{.*?),"hash":"(.{71})"(.*?)(?:,"payload":(\{.*\}|null *)(,"payloadHash":"(.{71})"))?(,"previousHash":(?:null|"(.{71})").*)')
KEPT = re.compile(rb'\{"(profile|content)":(.*),"\1Hash":"(.{71})"(?:,"mediaType":"(?:[^"\\]|\\.)*")?,"recordVersion":1\}')

def sha256(data): return b"sha256:" + hashlib.sha256(data).hexdigest().encode()

def payload_hash(text):
    for salt in re.findall(rb'"salt":"([\w-]{22})"', text):  # the input or the result may have one, too: the right one fits
        raw, bare = base64.urlsafe_b64decode(salt + b"=="), re.sub(rb',"salt":"%b"|(?<=^\{)"salt":"%b",?' % (salt, salt), b"", text)
        if base64.urlsafe_b64encode(raw) == salt + b"==": yield sha256(raw + bare)

def fits(payload, wanted, line):
    if payload is None: return line.startswith(b'{"erasure":')
    return payload.startswith(b"null") or wanted in payload_hash(payload)

# Only the first file of a chain begins it. Others, and what comes after a damaged line, may follow anything.
head, is_known, failed, lines = None, sys.argv[1].endswith("-00000001.ndjson"), False, open(sys.argv[1], "rb").read().split(b"\n")
for number, line in enumerate(lines if lines[-1] else lines[:-1], 1):
    record, kept = RECORD.fullmatch(line), KEPT.fullmatch(line)
    if kept and sha256(kept[2]) == kept[3]: continue
    start, own, middle, payload, payload_end, wanted, end, previous = record.groups() if record else [b""] * 8
    if (number == len(lines) or sha256(start + middle + (payload_end or b"") + end) != own or is_known and head != previous
            or not fits(payload, wanted, line)):
        failed = print(f"line {number}:", re.findall(rb'"recordId":"(.{36})"', line)[-1:]) or True
    head, is_known = own or None, own != b""
print("last hash:", head)
sys.exit(failed)
