import { writeSync } from "node:fs";

/**
 * Reports a module that ends the process: `process.exit(0)` in a rule would look as if the command had done its work.
 *
 * @returns to be called once the command has ended
 */
export function reportEarlyExit(): () => void {
  const report = (code: number): void => {
    if (code !== 0) return;
    process.exitCode = 1;
    // Nothing asynchronous is written any more.
    writeSync(2, "decern: the module ended the process before the command was done\n");
  };
  process.once("exit", report);
  return () => void process.off("exit", report);
}
