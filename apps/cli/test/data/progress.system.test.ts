import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { ndjsonFiles } from "@decern/decision-log";
import { beforeEach, expect, it } from "vitest";
import { decernProcess } from "../support/decern.js";
import { moduleFile, program, recordLoans, temporaryFolder } from "./support.js";

const script = fileURLToPath(new URL("./on-a-terminal.py", import.meta.url));

let folder: string;

beforeEach(async () => {
  folder = temporaryFolder();
  await recordLoans(ndjsonFiles(folder), [50, 200]);
});

it.each([
  ["Counting records …", ["log", "stats", "FOLDER"]],
  ["Verified 1 record", ["log", "verify", "FOLDER"]],
  ["Exploring loan 1.0.0 (1 of 1) …", ["explore", moduleFile("same"), "loan", "--runs", "100"]],
])("long work shows progress on a terminal, and none when piped: %s", async (text, words) => {
  const args = words.map((word) => (word === "FOLDER" ? folder : word));
  const onTerminal = JSON.parse(
    execFileSync("python3", [script, process.execPath, program, ...args], { encoding: "utf8" }),
  );
  const piped = await decernProcess(args);
  expect(piped).toMatchObject({ code: 0, stderr: "" });
  expect(onTerminal).toMatchObject({ code: 0, stdout: piped.stdout });
  expect(onTerminal.stderr).toContain(`\r\u001b[2K${text}`);
  // The line is gone at the end.
  expect(onTerminal.stderr.endsWith("\r\u001b[2K")).toBe(true);
});

it.each([
  [["replay", "FOLDER", "--against", moduleFile("same")], "No results changed (2 compared)"],
  [["replay", "--help"], "Exit codes"],
  [["log", "verify", "FOLDER"], "No problems found"],
])("a terminal without a size has an unknown width: %j", (words, text) => {
  const args = words.map((word) => `'${word === "FOLDER" ? folder : word}'`).join(" ");
  const command = `stty cols 0; '${process.execPath}' '${program}' ${args}`;
  const said = execFileSync("script", ["-qec", command, "/dev/null"], { encoding: "utf8" });
  expect(said).toContain(text);
});
