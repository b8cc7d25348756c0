import { DecernError, type Decision, evaluate } from "@decern/core";
import { isDecision } from "@decern/core/tools";
import type * as Table from "@decern/table";
import { isObject, type PlaygroundCall, type TableText } from "../base/state.js";
import { describeOpened } from "./describe.js";
import { type Log, loadModule, type Made, type ModuleOf, mistakeOf } from "./load-module.js";
import type { Asked, Source, Told } from "./messages.js";

/** A module that writes more has a loop. */
const mostLines = 100;
const longestLine = 2_000;

/** Opens one source, and evaluates its decisions. */
export class Engine {
  readonly #moduleOf: ModuleOf;
  #decisions: readonly Decision[] = [];
  #console: string[] = [];

  constructor(moduleOf: ModuleOf) {
    this.#moduleOf = moduleOf;
  }

  /** Never rejects: what the code throws is the mistake that it returns. */
  async tell(asked: Asked): Promise<Told> {
    let told: Omit<Told, "console">;
    try {
      told = asked.kind === "open" ? await this.#open(asked.source) : this.#evaluate(asked.index, asked.call);
    } catch (error) {
      told = { mistake: mistakeOf(causeOf(error)) };
    }
    const console = this.#console.splice(0);
    return { ...told, console };
  }

  async #open({ module, table }: Source) {
    const made = await loadModule(module, this.#moduleOf, this.#log);
    // Holds: it is the module of this name.
    const tables = () => this.#moduleOf("@decern/table") as typeof Table;
    this.#decisions =
      table === undefined ? decisionsIn(made) : [tableDecision(tables(), contractsIn(made), table)];
    if (this.#decisions.length === 0) throw new Error("The module defines no decision");
    return { decisions: this.#decisions.map(describeOpened) };
  }

  #evaluate(index: number, { input, profile }: PlaygroundCall) {
    const decision = this.#decisions[index];
    if (decision === undefined) throw new Error("The module doesn't have this decision any more");
    return { result: evaluate(decision, input, profile, { requestId: "playground" }) };
  }

  readonly #log: Log = (...values) => {
    if (this.#console.length >= mostLines) return;
    const line = values.map(shown).join(" ");
    this.#console.push(line.length > longestLine ? `${line.slice(0, longestLine)}…` : line);
  };
}

/** Those that are exported, alone or in lists; without any, those that were defined. */
function decisionsIn({ exports, decisions }: Made): readonly Decision[] {
  const exported = Object.values(exports).flat().filter(isDecision);
  return [...new Set(exported.length > 0 ? exported : decisions.filter(isDecision))];
}

type Contract = Parameters<typeof Table.readTable>[0];

function contractsIn({ exports, contracts }: Made): readonly Contract[] {
  const found = [...Object.values(exports).flat(), ...contracts].filter(isLikeContract);
  // Holds as far as anything relies on it: `readTable` checks each contract, and throws what is wrong with it.
  return [...new Set(found)] as Contract[];
}

function isLikeContract(value: unknown): boolean {
  return (
    isObject(value) &&
    !isDecision(value) &&
    ["id", "inputSchema", "outputSchema", "profileSchema"].every((name) => name in value)
  );
}

function tableDecision(tables: typeof Table, contracts: readonly Contract[], table: TableText): Decision {
  const source = { name: table.name, bytes: new TextEncoder().encode(table.text) };
  const ids = tables.tableIds(source);
  const contract = contracts.find(({ id }) => ids.includes(id)) ?? contracts[0];
  if (contract === undefined) throw new Error("The module has no contract for the table: call tableContract");
  return tables.readTable(contract, source);
}

/** What a rule threw tells its author more than that it threw. */
function causeOf(error: unknown): unknown {
  return error instanceof DecernError && error.cause instanceof Error ? error.cause : error;
}

function shown(value: unknown): string {
  if (typeof value === "string") return value;
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}
