import express5 from "express";
import express4 from "express4";
import { vi } from "vitest";

export interface ExpressVersion {
  readonly name: string;
  readonly express: typeof express5;
  /** The adapter as an application with this version of Express has it. */
  readonly adapter: typeof import("../src/index.js");
}

/** Each Express that the adapter promises to work with, each with its own copy of the adapter. */
export async function expressVersions(): Promise<readonly ExpressVersion[]> {
  vi.resetModules();
  vi.doMock("express", () => ({ default: express4 }));
  const four = await import("../src/index.js");
  vi.resetModules();
  vi.doUnmock("express");
  const five = await import("../src/index.js");
  return [
    { name: "Express 5", express: express5, adapter: five },
    // What these tests use is typed alike in both.
    { name: "Express 4", express: express4 as unknown as typeof express5, adapter: four },
  ];
}
