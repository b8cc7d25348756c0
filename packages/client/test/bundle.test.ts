import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "vite";
import { expect, it } from "vitest";

/** The package as one minified module, bundled as applications do. */
async function bundle(): Promise<{ readonly code: string; readonly imports: readonly string[] }> {
  const entry = fileURLToPath(new URL("../src/index.ts", import.meta.url));
  const built = await build({
    configFile: false,
    logLevel: "silent",
    build: {
      write: false,
      minify: true,
      target: "es2022",
      lib: { entry, formats: ["es"] },
      rolldownOptions: { output: { minify: true } },
    },
  });
  const [first] = Array.isArray(built) ? built : [built];
  if (first === undefined || !("output" in first)) throw new Error("nothing was built");
  const [chunk, ...more] = first.output;
  expect(more).toEqual([]);
  return { code: chunk.code, imports: [...chunk.imports, ...chunk.dynamicImports] };
}

it("is below 2.5 kB compressed, and imports nothing", async () => {
  const { code, imports } = await bundle();
  const size = gzipSync(code).byteLength;
  console.log(`@decern/client: ${code.length} bytes minified, ${size} compressed`);
  expect(size).toBeLessThan(2500);
  expect(imports).toEqual([]);
  expect(code).not.toMatch(/\bimport\b|\brequire\b|node:|process\.|Buffer/);
  // All of it is there.
  expect(code).toContain("/decisions/");
});
