import { describe, expect, it } from "vitest";
import { runCommandLine } from "../../src/command-line/run-command-line.js";
import { madeUpCommands } from "../support/made-up-commands.js";
import { memoryIo } from "../support/memory-io.js";

/** What shells are told for the words behind `decern`. The last one is being typed. */
async function told(...words: readonly string[]): Promise<readonly string[]> {
  const io = memoryIo();
  expect(await runCommandLine(madeUpCommands, ["__complete", ...words], io)).toBe(0);
  return (await io.read()).stdout.split("\n").slice(0, -1);
}

const wordsOf = async (...words: readonly string[]) =>
  (await told(...words)).map((line) => line.split("\t")[0]);

describe("completion", () => {
  it("tells what each word means", async () => {
    expect(await told("br")).toEqual(["brew\tMake a drink"]);
    expect(await told("t")).toEqual(["tap\tCommands: open, close"]);
    expect(await told("brew", "--siz")).toEqual(["--size\thow much"]);
  });

  it("knows what can follow: commands, groups, and the commands behind help", async () => {
    expect(await wordsOf("")).toEqual(["brew", "tap", "help", "--help", "--version"]);
    expect(await wordsOf("tap", "")).toEqual(["open", "close"]);
    expect(await wordsOf("help", "")).toEqual(["brew", "tap"]);
    expect(await wordsOf("help", "tap", "")).toEqual(["open", "close"]);
    expect(await wordsOf("toast", "")).toEqual([]);
  });

  it("offers an option once, unless it can be repeated", async () => {
    expect(await wordsOf("brew", "--s")).toEqual(["--strength", "--size"]);
    expect(await wordsOf("brew", "-s", "3", "--size=small", "--")).toEqual([
      "--recipe",
      "--with",
      "--hot",
      "--help",
    ]);
    expect(await wordsOf("brew", "--with", "milk", "--w")).toEqual(["--with"]);
  });

  it.each([
    ["as a word", ["--size", "s"], ["small"]],
    ["behind a sign, as zsh and fish pass it", ["--size=s"], ["--size=small"]],
    ["behind a sign, as bash splits it", ["--size", "=", "s"], ["small"]],
    ["right behind a sign, as bash splits it", ["--size", "="], ["small", "large"]],
    ["of a file", ["--recipe", "r"], [":files"]],
    ["that only the user knows", ["--strength", ""], []],
  ])("completes a value %s", async (_how, words, expected) => {
    expect(await wordsOf("brew", ...words)).toEqual(expected);
  });

  it("completes arguments: files, one of some words, or nothing", async () => {
    expect(await wordsOf("brew", "")).toEqual([":files"]);
    expect(await wordsOf("tap", "close", "s")).toEqual(["slowly"]);
    expect(await wordsOf("tap", "open", "")).toEqual([]);
  });
});
