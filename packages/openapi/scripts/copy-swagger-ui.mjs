// Puts the two files of Swagger UI that the page is made of, and their licence, into the package. Users then install neither the
// other 10 MB of swagger-ui-dist nor the install script that counts them.
import { copyFileSync, mkdirSync, renameSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const from = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
const to = fileURLToPath(new URL("../swagger-ui/", import.meta.url));

/** Called before the tests, which use the sources. */
export default function copySwaggerUI() {
  mkdirSync(to, { recursive: true });
  for (const file of ["swagger-ui-bundle.js", "swagger-ui.css", "LICENSE", "NOTICE"]) {
    // Renamed into place: whoever reads the file meanwhile, in another run, gets all of it.
    const whole = join(to, `.${file}.${process.pid}`);
    copyFileSync(join(from, file), whole);
    renameSync(whole, join(to, file));
  }
}

copySwaggerUI();
