// Puts the built pages into the package, which serves them.
import { cpSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";

const from = fileURLToPath(new URL("dist/page/", import.meta.resolve("@decern/pages/package.json")));
const to = fileURLToPath(new URL("../dist/page/", import.meta.url));
rmSync(to, { recursive: true, force: true });
cpSync(from, to, { recursive: true });
