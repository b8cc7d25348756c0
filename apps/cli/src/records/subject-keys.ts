import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import {
  type CommandCall,
  CommandError,
  type CommandIo,
  type CommandOption,
} from "../command-line/command.js";

/** Environment variable with the key of subjects. */
const variable = "DECERN_SUBJECT_KEY";

export const subjectOptions = {
  subject: {
    value: "<person>",
    description: "records about this person, as the host names them, or by the hash that records have",
  },
  "key-file": {
    value: "<file>",
    multiple: true,
    description: `file with the key of subjects; without it, ${variable} is the key`,
  },
} as const satisfies Readonly<Record<string, CommandOption>>;

/** Whom a command is about. */
export interface Person {
  readonly name: string;
  readonly keys: readonly string[];
}

const hash = /^sha256:[0-9a-f]{64}$/;

/** Whether a person is named by the hash that records have. */
export function isSubjectHash(name: string): boolean {
  return hash.test(name);
}

/** @throws CommandError where a key is needed and there is none */
export async function personOf(call: CommandCall, io: CommandIo): Promise<Person | undefined> {
  const name = call.value("subject");
  if (name === undefined) return undefined;
  if (name === "") throw new CommandError("--subject must name a person");
  const keys = await Promise.all(call.values("key-file").map((path) => readKey(path, io.cwd)));
  const own = io.env[variable];
  if (keys.length === 0 && own !== undefined && own !== "") keys.push(own);
  if (keys.length === 0 && !isSubjectHash(name)) {
    throw new CommandError(`--subject needs the key of subjects: set ${variable}, or give --key-file`);
  }
  const short = keys.find((key) => Buffer.byteLength(key) < 16);
  if (short !== undefined) throw new CommandError("a key of subjects has at least 16 bytes");
  return { name, keys };
}

/** The line break at the end of a file is none of the key. */
async function readKey(path: string, cwd: string): Promise<string> {
  const text = await readFile(resolve(cwd, path), "utf8").catch((error: unknown) => {
    throw new CommandError(
      `the key of subjects cannot be read: ${error instanceof Error ? error.message : error}`,
    );
  });
  return text.replace(/\r?\n$/, "");
}
