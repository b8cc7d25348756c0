import type { OpenAPIInfo } from "./document.js";

/** Copies an info block, so later changes to the original do not affect a document. */
export function copyInfo(info: OpenAPIInfo): OpenAPIInfo {
  const { contact, license, ...texts } = info;
  return {
    ...texts,
    ...(contact === undefined ? {} : { contact: { ...contact } }),
    ...(license === undefined ? {} : { license: { ...license } }),
  };
}
