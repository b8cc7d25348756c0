import { describe, expect, it } from "vitest";
import { defineCommand } from "../../src/command-line/command.js";
import { optionalText } from "../../src/command-line/options.js";
import { parseCall } from "../../src/command-line/parse-call.js";

const command = defineCommand({
  name: "print",
  summary: "Print a folder",
  positionals: "<folder>",
  options: {
    to: optionalText("[file]", "print.txt", "where to"),
    copy: optionalText("[file]", "copy.txt", "too"),
  },
  examples: [],
  exits: {},
  run: async () => 0,
});

describe("an option whose value may be left out", () => {
  it.each([
    ["pages", { to: undefined, copy: undefined }],
    ["pages --to", { to: "print.txt", copy: undefined }],
    ["--to pages", { to: "print.txt", copy: undefined }],
    ["--to --copy pages", { to: "print.txt", copy: "copy.txt" }],
    ["pages --to a.txt", { to: "a.txt", copy: undefined }],
    ["--to a.txt pages", { to: "a.txt", copy: undefined }],
    ["--to=a.txt pages", { to: "a.txt", copy: undefined }],
    ["pages --to=a.txt --copy b.txt", { to: "a.txt", copy: "b.txt" }],
    ["pages --to a.txt --copy b.txt", { to: "a.txt", copy: "b.txt" }],
  ])("%s", (line, options) => {
    expect(parseCall(command, line.split(" "))).toEqual({ positionals: ["pages"], options });
  });

  it("doesn't hide an argument too many", () => {
    expect(() => parseCall(command, ["pages", "more", "--to"])).toThrow('unexpected argument "more"');
    expect(() => parseCall(command, ["pages", "--to", "a.txt", "more"])).toThrow(
      'unexpected argument "more"',
    );
    expect(() => parseCall(command, ["--to"])).toThrow("needs <folder>");
  });

  it("needs a value behind a sign", () => {
    expect(() => parseCall(command, ["pages", "--to="])).toThrow("--to needs a value: --to [file]");
  });
});
