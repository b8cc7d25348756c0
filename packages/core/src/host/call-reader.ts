import type { Awaitable } from "../awaitable.js";
import type { SelectedBy } from "../records/decision-record.js";
import type { CallOrigin, ChosenCall } from "./chosen-call.js";

/** How a host's request becomes a call. */
export interface CallReader<Request, Output> {
  /** The decision's input. */
  readonly input: (request: Request) => unknown;
  /** Who asks. */
  readonly origin: (request: Request) => CallOrigin;
  /** Which version and which profile evaluate it. */
  readonly choose: (request: Request, input: unknown, origin: CallOrigin) => Awaitable<ChosenCall<Output>>;
  /** Whether `choose` does not need the input. It then runs while the input is still being read. @default false */
  readonly ignoresInput?: boolean | undefined;
  /** Whether `choose` answers at once, and the same for all inputs of one request. @default false */
  readonly isSteady?: boolean | undefined;
  /** How a version is chosen, for the record. @default "default" */
  readonly selectedBy?: SelectedBy | undefined;
}
