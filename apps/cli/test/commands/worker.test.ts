import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { decernProcess } from "../support/decern.js";

const module = fileURLToPath(new URL("../support/loans.mjs", import.meta.url));
const nats = ["--nats", "nats://localhost:1"];
const postgres = ["--postgres", "postgres://u:secret@localhost:1/db"];

it.each([
  [[], "set the source of inputs: --postgres or --nats"],
  [[...nats, ...postgres], "set the source of inputs: --postgres or --nats"],
  [postgres, "--postgres needs either --inbox or --job"],
  [[...postgres, "--job", "j", "--table", "t"], "a job needs --key"],
  [[...postgres, "--inbox", "i", "--stream", "S"], "--stream cannot be used with an inbox"],
  [[...nats, "--stream", "S", "--results", "r"], "--nats needs --consumer"],
  [
    ["--postgres", "db.example.org", "--inbox", "i"],
    "the address of the database must look like postgres://user@host/database",
  ],
  [
    [...postgres, "--inbox", "i", "--metrics", "70000"],
    '--metrics must be a port from 0 to 65535, not "70000"',
  ],
  [
    ["--nats", "nats://u:100%@localhost:1", "--stream", "S", "--consumer", "c", "--results", "r"],
    "in the address of the server, a % in the user or the password must be %25",
  ],
  [[...postgres, "--inbox", "i", "--lanes", "two"], '--lanes must be a whole number, 1 or larger, not "two"'],
  [[...postgres, "--inbox", "i", "--batch", "0"], '--batch must be a whole number, 1 or larger, not "0"'],
])("refuses %j", async (args, message) => {
  const { code, stderr } = await decernProcess(["worker", module, "loan", ...args]);
  expect({ code, stderr }).toEqual({ code: 1, stderr: `decern: ${message}\n` });
});

it("names a server that does not answer, without the password", async () => {
  const names = ["--stream", "S", "--consumer", "c", "--results", "r"];
  const unreachable = await decernProcess(["worker", module, "loan", ...nats, ...names]);
  expect({ code: unreachable.code, stderr: unreachable.stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/^decern: cannot connect to NATS at localhost:1: /),
  });
  const down = await decernProcess(["worker", module, "loan", ...postgres, "--inbox", "i"]);
  expect({ code: down.code, stderr: down.stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/^decern: cannot connect to the database at localhost:1\/db: /),
  });
  expect(down.stderr).not.toContain("secret");
});

it.each([
  [
    ["worker", module, "loan", "postgres://u:secret@localhost:1/db"],
    'unexpected argument "postgres://u:***@localhost:1/db"',
  ],
  [
    ["log", "find", "Postgres://u:secret@localhost:1/db"],
    'there are no records at "Postgres://u:***@localhost:1/db"',
  ],
  [["serve", "https://u:secret@localhost:1/db"], "cannot find https://u:***@localhost:1/db"],
])("quotes a URL where none belongs without its password: %j", async (args, message) => {
  const { code, stdout, stderr } = await decernProcess(args, { env: { DECERN_DEBUG: "1" } });
  expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: "", stderr: expect.stringContaining(message) });
  expect(stderr).not.toContain("secret");
});
