import type { Asked } from "../engine/messages.js";

/** The files that a worker needs: they import each other by name, as CommonJS. */
export interface WorkerFiles {
  /** Text, by file name. */
  readonly files: Readonly<Record<string, string>>;
  /** File names, by what imports name. */
  readonly modules: Readonly<Record<string, string>>;
  /** The name of the file with the engine. */
  readonly engine: string;
}

/** What the page sends to the frame. */
export type ToFrame = {
  readonly ticket: number;
  readonly asked: Asked;
  /** Present where code is opened: the script of the worker, and its files. */
  readonly open?: { readonly script: string; readonly files: WorkerFiles };
};

/** What the frame sends to the page: first that it is there, then one reply for each ticket. */
export type FromFrame =
  | { readonly kind: "ready" }
  | {
      readonly kind: "told";
      readonly ticket: number;
      /** JSON of what the engine returned. Absent where the code was stopped. */
      readonly text?: string;
      /** Why it was stopped. */
      readonly stopped?: string;
    };

/** What a frame sends to its worker. */
export type ToWorker = WorkerFiles | { readonly ticket: number; readonly asked: Asked };

/** What a worker sends to its frame: `loaded` before any code of the page's runs. */
export type FromWorker = { readonly loaded: true } | { readonly ticket: number; readonly text: string };
