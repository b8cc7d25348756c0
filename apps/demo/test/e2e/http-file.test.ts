import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { expectedAnswers } from "../support/requests.js";

it("requests.http has the requests of expected.json", () => {
  const text = readFileSync(new URL("../../requests/requests.http", import.meta.url), "utf8");
  const asked = text.split(/^### .*$/m).slice(1);
  const lines = asked.map((request) =>
    request
      .trim()
      .split("\n")
      .filter((line) => line !== ""),
  );
  expect(lines).toEqual(
    expectedAnswers.map(({ file, method = "POST", path, contentType = "application/json" }) => [
      `${method} {{host}}${path}`,
      ...(file === undefined ? [] : [`Content-Type: ${contentType}`, `< ./${file}`]),
    ]),
  );
});
