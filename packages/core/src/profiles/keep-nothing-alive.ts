/** Lets the process end all the same. Timers of other platforms are plain numbers. */
export function keepNothingAlive(timer: ReturnType<typeof setTimeout>): void {
  if (typeof timer === "object") timer.unref();
}
