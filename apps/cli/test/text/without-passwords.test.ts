import { expect, it } from "vitest";
import { withoutPasswords } from "../../src/text/text.js";

it.each([
  ["no postgres://u:secret@h/db here", "no postgres://u:***@h/db here"],
  ['"Postgres://u:secret@h:5432/db?a=b"', '"Postgres://u:***@h:5432/db?a=b"'],
  ["nats://u:1234@h:4222 and tls://u:secret@h", "nats://u:***@h:4222 and tls://u:***@h"],
  ["redis://:secret@h", "redis://:***@h"],
  ["https://u:sec@ret@h/p", "https://u:***@h/p"],
  ["postgres://u:sec/ret?@h/db", "postgres://u:***@h/db"],
  ["postgres://h/db?user=u&password=secret&schema=s", "postgres://h/db?user=u&password=***&schema=s"],
  ["postgres://h/db?sslpassword=secret", "postgres://h/db?sslpassword=***"],
])("hides the password in %s", (text, expected) => {
  expect(withoutPasswords(text)).toBe(expected);
});

it.each([
  "postgres://u@h:5432/db?options=a@b",
  "postgres://h:5432/db?options=a@b",
  "file:///home/me@work/decisions.ts",
  "https://example.com/package@1.2.3",
  "mail u@example.com, not u:v@w",
])("leaves %s alone", (text) => {
  expect(withoutPasswords(text)).toBe(text);
});
