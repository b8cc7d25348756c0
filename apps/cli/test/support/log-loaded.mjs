// Preloaded by a test: writes the URL of every module that is loaded to the file that LOADED names.
import { register } from "node:module";

const hooks = `import { appendFileSync } from "node:fs";
export async function load(url, context, next) {
  appendFileSync(${JSON.stringify(process.env.LOADED)}, url + "\\n");
  return next(url, context);
}`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
