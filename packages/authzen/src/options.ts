import type { Awaitable, Decision, MappedInput, Result } from "@decern/core";
import { checkOptions, isDecision, type OptionKind, type OptionTable, optionKinds } from "@decern/core/tools";
import type { AccessRequest } from "./access-request.js";

/** Options of `authzen`. */
export interface AuthzenOptions<Input, Mapped> {
  /** Decides. The host must serve it too. */
  readonly evaluation: Decision<Input>;
  /** Returns the decision's input. TypeScript checks it unless its type is `unknown`. */
  readonly toInput: (request: AccessRequest) => Awaitable<MappedInput<NoInfer<Input>, Mapped>>;
  /**
   * Whether a result denies access. Anything but `false` does.
   * @default reads the output's boolean `allowed`, `allow`, `granted`, `permitted` or `approved`
   */
  readonly isDenied?: ((result: Result) => boolean) | undefined;
  /**
   * Returns the `context` of the answer, a JSON object, or nothing.
   * @default the decision, its version, the rule that matched and its explanation
   */
  readonly toContext?: ((result: Result) => Readonly<Record<string, unknown>> | undefined) | undefined;
  /** Where callers reach the service, `https` without query and fragment. With it the metadata are served. @default none */
  readonly url?: string | undefined;
  /** How many evaluations one request may ask for. @default 1000 */
  readonly maxEvaluations?: number | undefined;
}

const { callback, wholeNumber } = optionKinds;

// The host finds out whether it serves it.
const evaluation: OptionKind = (value, path) =>
  isDecision(value) ? [] : [{ path, message: "is not a decision; make it with defineDecision" }];

const identifier: OptionKind = (value, path) =>
  typeof value === "string" && isIdentifier(value)
    ? []
    : [
        {
          path,
          message:
            'must be an https URL without query, fragment and final "/", such as https://pdp.example.com',
        },
      ];

function isIdentifier(value: string): boolean {
  if (!URL.canParse(value) || /[?#]|\/$/.test(value)) return false;
  const { protocol, username, password, pathname } = new URL(value);
  return protocol === "https:" && username === "" && password === "" && /^[\w.~/-]*$/.test(pathname);
}

const kinds: OptionTable<AuthzenOptions<unknown, unknown>> = {
  evaluation,
  toInput: callback,
  isDenied: callback,
  toContext: callback,
  url: identifier,
  maxEvaluations: wholeNumber,
};

/** @throws DecernError `INVALID_OPTIONS` with every problem */
export function checkAuthzenOptions(options: unknown): void {
  checkOptions("authzen", options, { kinds, required: ["evaluation", "toInput"] });
}
