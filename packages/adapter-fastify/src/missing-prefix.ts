import { normalizePrefix } from "@decern/core/host";
import type { FastifyInstance } from "fastify";

/**
 * The prefix that a plugin still has to apply. Fastify applies it itself, but not to a plugin that `fastify-plugin`
 * wrapped: that one gets its parent's instance.
 *
 * @throws DecernError `INVALID_OPTIONS` for a character that a router would take for a pattern
 */
export function missingPrefix(app: FastifyInstance, prefix: string | undefined, plugin: object): string {
  const wanted = normalizePrefix(prefix);
  if (wanted === "" || Reflect.get(plugin, Symbol.for("skip-override")) === true) return wanted;
  const parent: unknown = Object.getPrototypeOf(app);
  const inherited =
    typeof parent === "object" && parent !== null && "prefix" in parent ? parent.prefix : undefined;
  // An instance made for a plugin starts with that plugin's name; one that it shares has names chained to it.
  const shared = app.pluginName.includes(" -> ");
  const applied =
    !shared && typeof inherited === "string" && segments(app.prefix) === segments(inherited) + wanted;
  return applied ? "" : wanted;
}

function segments(path: string): string {
  return path
    .split("/")
    .map((segment) => (segment === "" ? "" : `/${segment}`))
    .join("");
}
