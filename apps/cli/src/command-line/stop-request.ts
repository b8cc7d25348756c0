/** The reason of {@link CommandIo.signal}: the process was asked to stop. */
export class StopRequest extends Error {
  override readonly name = "StopRequest";
  /** As a shell reports a process that a signal ended. */
  readonly exitCode: number;

  constructor(signal: "SIGINT" | "SIGTERM") {
    super(`stopped by ${signal}`);
    this.exitCode = signal === "SIGINT" ? 130 : 143;
  }
}
