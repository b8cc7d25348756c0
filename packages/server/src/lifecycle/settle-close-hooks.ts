import type { FastifyInstance } from "fastify";

/** An `onClose` hook as Fastify calls it. */
type CloseHook = (this: unknown, instance: unknown, done: (error?: unknown) => void) => void;

/**
 * Makes `onClose` hooks of an application and its scopes report what they throw through their callback. Fastify does not
 * catch it: the process would end, or `close()` would never settle. docs/adr/0010 says why this wraps `addHook`.
 *
 * Checked with Fastify 5 on Node 20.20 and 24, by test/closing.test.ts.
 */
export function settleCloseHooks(app: FastifyInstance): void {
  const { addHook } = app;
  Object.defineProperty(app, "addHook", {
    configurable: true,
    writable: true,
    value: function addHookThatSettles(this: unknown, name: unknown, hook: unknown): unknown {
      if (name !== "onClose" || typeof hook !== "function") return Reflect.apply(addHook, this, [name, hook]);
      const takesCallback = hook.length > 1;
      const settling: CloseHook = function onClose(instance, done) {
        const fail = (thrown: unknown): void =>
          done(thrown ?? new Error("an onClose hook threw undefined or null"));
        try {
          const returned: unknown = Reflect.apply(hook, this, [instance, ...(takesCallback ? [done] : [])]);
          if (!takesCallback) Promise.resolve(returned).then(() => done(), fail);
        } catch (thrown) {
          fail(thrown);
        }
      };
      return Reflect.apply(addHook, this, [name, settling]);
    },
  });
}
