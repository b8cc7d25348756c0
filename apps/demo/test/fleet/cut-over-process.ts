import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const script = fileURLToPath(new URL("./cut-over-service.mjs", import.meta.url));

const running = new Set<ChildProcess>();
process.once("exit", endAll);

/** Ends every process that was started. Call it in `afterAll`. */
export function endAll(): void {
  for (const child of running) child.kill("SIGKILL");
}

/** How a load ended, as the process was told. */
export interface ToldLoad {
  readonly outcome: string;
  readonly revision?: string;
  readonly error?: string;
}

/** One process of a fleet. */
export interface FleetProcess {
  readonly url: string;
  /** Every load so far. */
  readonly loads: readonly ToldLoad[];
  end(): Promise<void>;
}

/** @param place - where its profiles come from */
export async function startFleetProcess(
  place: object,
  environment: NodeJS.ProcessEnv = {},
): Promise<FleetProcess> {
  const child = fork(script, [JSON.stringify(place)], {
    env: { ...process.env, ...environment },
    // Without the conditions under which tests read the sources.
    execArgv: [],
  });
  running.add(child);
  child.once("exit", () => running.delete(child));
  const loads: ToldLoad[] = [];
  const url = await new Promise<string>((resolve, reject) => {
    child.on("message", (message: ToldLoad | { readonly url: string }) => {
      if ("url" in message) resolve(message.url);
      else loads.push(message);
    });
    child.once("exit", () => reject(new Error("the process has ended")));
  });
  return {
    url,
    loads,
    end: async () => {
      const ended = once(child, "exit");
      child.send("end");
      await ended;
    },
  };
}
