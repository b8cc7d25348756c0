import type { Asked, Told } from "../engine/messages.js";
import type { FromWorker, ToWorker, WorkerFiles } from "./messages.js";

// Loads the engine from text, because a sandboxed frame has no origin to load it from, and then runs what it is asked to.

interface Engine {
  tell(asked: Asked): Promise<Told>;
}

let engine: Engine | undefined;

addEventListener("message", ({ data }: MessageEvent<ToWorker>) => {
  if ("files" in data) {
    engine = load(data);
    send({ loaded: true });
    return;
  }
  const { ticket, asked } = data;
  void engine?.tell(asked).then((told) => send({ ticket, text: JSON.stringify(told) }));
});

function send(message: FromWorker): void {
  postMessage(message);
}

type CommonJs = (require: (name: string) => unknown, module: { exports: object }, exports: object) => void;

function load({ files, modules, engine: entry }: WorkerFiles): Engine {
  const loaded = new Map<string, { exports: object }>();
  const fileOf = (name: string): object => {
    const known = loaded.get(name);
    if (known !== undefined) return known.exports;
    const text = files[name];
    if (text === undefined) throw new Error(`${name} was not sent`);
    const module = { exports: {} };
    loaded.set(name, module);
    // Holds: the text has these parameters.
    const run = new Function("require", "module", "exports", `${text}\n//# sourceURL=${name}`) as CommonJs;
    run((path) => fileOf(path.replace(/^\.\//, "")), module, module.exports);
    return module.exports;
  };
  // Holds: the build puts the engine there.
  const { Engine } = fileOf(entry) as typeof import("../engine/index.js");
  return new Engine((specifier) => fileOf(modules[specifier] ?? specifier));
}
