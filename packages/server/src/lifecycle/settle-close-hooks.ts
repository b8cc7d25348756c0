import type { FastifyInstance } from "fastify";

/** What Fastify calls for one `onClose` hook. */
type CloseHook = (this: unknown, instance: unknown, done: (error?: unknown) => void) => void;

/**
 * Makes `onClose` hooks that are added to an application, or to a scope of it, fail by telling Fastify. It would not catch
 * what one throws: the process would end, or if it did not, the application would never be closed.
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
        const fail = (thrown: unknown): void => done(thrown ?? new Error("an onClose hook threw nothing"));
        try {
          const answer: unknown = Reflect.apply(hook, this, [instance, ...(takesCallback ? [done] : [])]);
          if (!takesCallback) Promise.resolve(answer).then(() => done(), fail);
        } catch (thrown) {
          fail(thrown);
        }
      };
      return Reflect.apply(addHook, this, [name, settling]);
    },
  });
}
