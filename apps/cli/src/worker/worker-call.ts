import type { BulkSource } from "@decern/bulk";
import { CommandError, type Given } from "../command-line/command.js";
import { databaseUrl, text } from "../command-line/options.js";

/** Where a worker takes inputs from, as the command line says it. */
export type WorkerPlace =
  | { readonly kind: "inbox"; readonly url: URL; readonly name: string }
  | {
      readonly kind: "job";
      readonly url: URL;
      readonly job: string;
      readonly table: string;
      readonly key: string;
    }
  | {
      readonly kind: "nats";
      readonly url: URL;
      readonly stream: string;
      readonly consumer: string;
      readonly results: string;
    };

export const placeOptions = {
  postgres: text("<url>", "take inputs from this database; schema=… sets the schema"),
  inbox: text("<name>", "with --postgres: the inbox to take inputs from"),
  job: text("<name>", "with --postgres: a job over a table; ends when it is finished"),
  table: text("<name>", "with --job: the table with the inputs"),
  key: text("<column>", "with --job: the unique column to divide the rows by"),
  nats: text("<url>", "take inputs from this server's JetStream"),
  stream: text("<name>", "with --nats: the stream with the inputs"),
  consumer: text("<name>", "with --nats: its durable pull consumer"),
  results: text("<subject>", "with --nats: the subject of results"),
};

type PlaceOptions = Given<typeof placeOptions>;

const needed = {
  inbox: ["inbox"],
  job: ["job", "table", "key"],
  nats: ["stream", "consumer", "results"],
} as const;

/** @throws CommandError if an option is missing, or contradicts another */
export function workerPlace(options: PlaceOptions): WorkerPlace {
  const kind = kindOf(options);
  const stray = Object.values(needed)
    .flat()
    .find((option) => options[option] !== undefined && !needed[kind].some((own) => own === option));
  if (stray !== undefined) throw new CommandError(`--${stray} cannot be used with ${sourceName(kind)}`);
  const given = (option: keyof PlaceOptions): string => {
    const value = options[option];
    if (value === undefined || value === "") throw new CommandError(`${sourceName(kind)} needs --${option}`);
    return value;
  };
  if (kind === "nats") {
    const names = { stream: given("stream"), consumer: given("consumer"), results: given("results") };
    return { kind, url: natsUrl(options.nats), ...names };
  }
  const url = postgresUrl(options.postgres);
  if (kind === "inbox") return { kind, url, name: given("inbox") };
  return { kind, url, job: given("job"), table: given("table"), key: given("key") };
}

function kindOf({ postgres, nats, inbox, job }: PlaceOptions): keyof typeof needed {
  if ((postgres === undefined) === (nats === undefined)) {
    throw new CommandError("set the source of inputs: --postgres or --nats");
  }
  if (nats !== undefined) return "nats";
  if ((inbox === undefined) === (job === undefined)) {
    throw new CommandError("--postgres needs either --inbox or --job");
  }
  return inbox === undefined ? "job" : "inbox";
}

function sourceName(kind: keyof typeof needed): string {
  return { inbox: "an inbox", job: "a job", nats: "--nats" }[kind];
}

function natsUrl(text = ""): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // The text may hold a password, so no message shows it.
  if (url === undefined || !["nats:", "tls:"].includes(url.protocol)) {
    throw new CommandError("the address of the server must look like nats://user@host:4222");
  }
  if (![url.username, url.password].every(isEncoded)) {
    throw new CommandError("in the address of the server, a % in the user or the password must be %25");
  }
  return url;
}

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function postgresUrl(text = ""): URL {
  return databaseUrl(/^postgres(?:ql)?:\/\//.test(text) ? text : "");
}

export interface OpenSource {
  readonly source: BulkSource;
  /** For people: where inputs come from, without a password. */
  readonly name: string;
  /** Resolves to the reason when the source has lost its server for good. */
  readonly lost: Promise<string>;
  end(): Promise<void>;
}

/** The worker, for its source. */
export interface SourceUser {
  readonly id: string;
  /** Absent where it changes. */
  readonly version: string | undefined;
  readonly profiles: Readonly<Record<string, unknown>>;
  readonly lanes: number;
  readonly env: Readonly<Record<string, string | undefined>>;
}
