/**
 * Stops the process on SIGTERM and SIGINT: finishes running work, then exits with code 0. A second signal does not wait.
 *
 * @param stop - resolves when all work has finished
 */
export function stopOnSignals(stop: () => Promise<unknown>): void {
  let stopping = false;
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => {
      if (stopping) process.exit(1);
      stopping = true;
      stop().then(
        () => process.exit(0),
        (error: unknown) => {
          console.error("decern-demo: could not stop cleanly:", error);
          process.exit(1);
        },
      );
    });
  }
}
