import type { OpenAPIInfo } from "./document.js";

/** An info block with the title and the version that documents have by default. */
export function infoWithDefaults(info: Partial<OpenAPIInfo> = {}): OpenAPIInfo {
  const title = info.title ?? "Decision service";
  return { ...info, title, version: info.version ?? "1.0.0" };
}
