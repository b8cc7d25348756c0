import { fullSizes, shortSizes } from "./sizes.js";
import { inProcessTables } from "./tables/in-process.js";

/** Times one table for the process that forked this one: `node table-child.js <table> <short or full>`. */
const [, , name = "", mode] = process.argv;
const table = inProcessTables[name];
if (table === undefined) throw new RangeError(`no table "${name}"`);
process.send?.(await table.time(mode === "short" ? shortSizes : fullSizes), () => process.exit(0));
