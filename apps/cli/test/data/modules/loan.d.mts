import type { Decision } from "@decern/core";

export function loan(options?: { readonly version?: string; readonly most?: number }): Decision;
export const shadowed: Decision;
