import type { FastifyInstance } from "fastify";

/** An `onClose` hook as Fastify calls it. */
type CloseHook = (this: unknown, instance: unknown, done: (error?: unknown) => void) => void;

/** Hooks that run for no request, and change no route. */
const besidesRequests: ReadonlySet<unknown> = new Set(["onReady", "onListen", "preClose", "onClose"]);

/**
 * The hooks of a server's Fastify instance. It replaces the instance's `addHook`, which its scopes inherit: docs/adr/0010 says
 * why.
 */
export class AppHooks {
  /** Whether the host has added hooks that may see or change the replies of the server's routes. */
  hasHosts = false;
  #isHosts = false;

  constructor(app: FastifyInstance) {
    const { addHook } = app;
    const note = (instance: unknown, name: unknown): void => {
      // A scope's hooks are for its own routes, and the host cannot reach the server's scopes.
      if (this.#isHosts && instance === app && !besidesRequests.has(name)) this.hasHosts = true;
    };
    Object.defineProperty(app, "addHook", {
      configurable: true,
      writable: true,
      value: function addHookOfServer(this: unknown, name: unknown, hook: unknown): unknown {
        note(this, name);
        return Reflect.apply(addHook, this, [name, name === "onClose" ? settling(hook) : hook]);
      },
    });
  }

  /** Whatever is added from now on is the host's. */
  handOver(): void {
    this.#isHosts = true;
  }
}

/**
 * Makes an `onClose` hook report what it throws through its callback. Fastify does not catch it: the process would end, or
 * `close()` would never settle.
 *
 * Checked with Fastify 5 on Node 20.20 and 24, by test/closing.test.ts.
 */
function settling(hook: unknown): unknown {
  if (typeof hook !== "function") return hook;
  const takesCallback = hook.length > 1;
  const onClose: CloseHook = function onClose(instance, done) {
    const fail = (thrown: unknown): void =>
      done(thrown ?? new Error("an onClose hook threw undefined or null"));
    try {
      const returned: unknown = Reflect.apply(hook, this, [instance, ...(takesCallback ? [done] : [])]);
      if (!takesCallback) Promise.resolve(returned).then(() => done(), fail);
    } catch (thrown) {
      fail(thrown);
    }
  };
  return onClose;
}
