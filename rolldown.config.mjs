import { readFileSync } from "node:fs";
import { basename, dirname, posix, relative, resolve } from "node:path";
import { defineConfig } from "rolldown";

// Node opens all files of a graph of modules at once, and finds each of them with several calls. So the modules of a package
// become a few files; the compiler writes the declarations beside them. Runs in the folder of a package.

const manifest = readFileSync("package.json", "utf8");
const entries = [...manifest.matchAll(/"\.\/dist\/([^"]+)\.js"/g)].map(([, name]) => [
  name,
  `src/${name}.ts`,
]);

/** Paths to files of the package stay right, and the scripts of threads become files. */
const ownUrls = {
  name: "own-urls",
  transform: {
    filter: { code: /new URL\("\.[^"]+", import\.meta\.url\)/ },
    handler(code, id) {
      const folder = dirname(id);
      const changed = code.replace(/(?<=new URL\(")\.[^"]+(?=", import\.meta\.url\))/g, (path) => {
        if (!path.endsWith(".js")) return posix.join(relative("src", folder), path);
        const fileName = basename(path);
        this.emitFile({ type: "chunk", id: resolve(folder, path.replace(/js$/, "ts")), fileName });
        return `./${fileName}`;
      });
      // Lines stay, so the map does too.
      return { code: changed, map: null };
    },
  },
};

export default defineConfig({
  input: Object.fromEntries(entries),
  external: /^[@a-z]/,
  // Nothing of Node gets into packages that browsers load.
  platform: "neutral",
  // Nothing is removed: a call whose value is unused may be there because it throws, such as `decodeURIComponent(text)`.
  treeshake: false,
  transform: { target: "es2023" },
  plugins: [ownUrls],
  output: {
    dir: "dist",
    minify: false,
    chunkFileNames: "[name].js",
    sourcemap: true,
    // The package has them.
    sourcemapExcludeSources: true,
  },
});
