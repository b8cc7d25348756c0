import { describe, expect, it } from "vitest";
import { guard } from "../src/host.js";
import { DecernError, type EvaluatorOptions, type Result } from "../src/index.js";
import { access, loan, recordingLogger } from "./fixtures.js";
import { createRequestHandler, type RequestReader, type TestHost } from "./fixtures-http.js";

interface State {
  /** Somebody has replied before the decision is made. */
  readonly begun?: boolean;
  /** That reply is complete. */
  readonly ended?: boolean;
  readonly handsOverHostErrors?: boolean;
  /** What writing throws. */
  readonly broken?: Error;
}

const boom = new Error("boom");
const throws = (): never => {
  throw boom;
};

/** Runs one exchange to its end, and returns everything that it was told. */
async function told(
  state: State,
  start: (exchange: Parameters<TestHost<object, unknown>["guard"]>[1]) => void,
): Promise<{ readonly ends: readonly unknown[]; readonly decided: readonly unknown[] }> {
  const ends: unknown[] = [];
  const decided: unknown[] = [];
  await new Promise<void>((resolve) => {
    const end = (...what: readonly unknown[]): void => {
      ends.push(what);
      resolve();
    };
    start({
      requestId: "given",
      handsOverHostErrors: state.handsOverHostErrors ?? true,
      onDecided: (result) => void decided.push(result?.status),
      hasBegun: () => state.begun ?? false,
      hasEnded: () => state.ended ?? false,
      write: (status, body, requestId) => {
        if (state.broken !== undefined) throw state.broken;
        end("write", status, JSON.parse(body), requestId);
      },
      leave: () => end("leave"),
      fail: (error, requestId) => end("fail", error, requestId),
      pass: (requestId) => end("pass", requestId),
    });
  });
  // An exchange that ends twice would do so by now.
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  return { ends, decided };
}

function quiet(options: EvaluatorOptions = {}): EvaluatorOptions {
  return { logger: recordingLogger(), ...options };
}

/** A hook that makes everything asynchronous, and gives the request an id of its own. */
const renaming: EvaluatorOptions = { hooks: { beforeEvaluate: async () => ({ requestId: "renamed" }) } };

describe("a handler that responds", () => {
  const reply = (
    state: State,
    reader: Partial<RequestReader<unknown>> = {},
    options: EvaluatorOptions = {},
    onResult?: (result: Result) => unknown,
  ) => {
    const input = () => ({ score: 700 });
    const handler = createRequestHandler(quiet(options), loan, { input, ...reader });
    return told(state, (exchange) => handler.respond({}, exchange, onResult));
  };
  const ok = expect.objectContaining({ status: "OK" });

  it("writes the reply once, with the id that the evaluation ended with", async () => {
    expect(await reply({})).toEqual({ ends: [["write", 200, ok, "given"]], decided: ["OK"] });
    expect(await reply({}, {}, renaming)).toEqual({
      ends: [["write", 200, ok, "renamed"]],
      decided: ["OK"],
    });
  });

  it("leaves a reply that somebody else has begun", async () => {
    expect(await reply({ begun: true })).toEqual({ ends: [["leave"]], decided: ["OK"] });
  });

  it("gives a failure of the host's callback to its error handling, unless it takes none", async () => {
    for (const fail of [throws, () => Promise.reject(boom)]) {
      expect((await reply({}, { input: fail })).ends).toEqual([["fail", boom, "given"]]);
      expect((await reply({}, {}, {}, fail)).ends).toEqual([["fail", boom, "given"]]);
      const masked = { error: "Internal server error", code: "INTERNAL_ERROR" };
      const own = await reply({ handsOverHostErrors: false }, { input: fail });
      expect(own.ends).toEqual([["write", 500, masked, "given"]]);
    }
  });

  it("hands a failure over while another reply is on its way, and none once it is complete", async () => {
    expect((await reply({ begun: true }, { input: throws })).ends).toEqual([["fail", boom, "given"]]);
    expect((await reply({ begun: true, ended: true }, { input: throws })).ends).toEqual([["leave"]]);
  });

  it("writes a fault of the decision itself, masked", async () => {
    const masked = { error: "Evaluation failed", code: "EVALUATION_FAILED" };
    expect(await reply({}, { input: () => ({ score: 13 }) })).toEqual({
      ends: [["write", 500, masked, "given"]],
      decided: [undefined],
    });
  });

  it("fails with what writing threw, at once or later", async () => {
    for (const options of [{}, renaming]) {
      expect((await reply({ broken: boom }, {}, options)).ends).toEqual([["fail", boom, "given"]]);
    }
  });
});

/** Guards with a handler that fails itself. */
function failing(
  run: () => never | Promise<never>,
  exchange: Parameters<TestHost<object, unknown>["guard"]>[1],
) {
  const host = createRequestHandler(quiet(), access, { input: () => ({ role: "admin" }) });
  guard({ run }, { ...exchange, ...host.asking({}, exchange.requestId) }, host.target, undefined);
}

describe("guard", () => {
  const ask = (
    state: State,
    role: string,
    options: EvaluatorOptions = {},
    onDeny?: (result: Result) => unknown,
  ) => {
    const handler = createRequestHandler(quiet(options), access, { input: () => ({ role }) });
    return told(state, (exchange) => handler.guard({}, exchange, undefined, onDeny));
  };
  const denied = { error: "Access denied", code: "ACCESS_DENIED" };

  it("lets a clear yes through once, and replies 403 to everything else", async () => {
    expect(await ask({}, "admin")).toEqual({ ends: [["pass", "given"]], decided: ["OK"] });
    expect(await ask({}, "admin", renaming)).toEqual({ ends: [["pass", "renamed"]], decided: ["OK"] });
    for (const [role, status] of [
      ["guest", "OK"],
      ["stranger", "NO_MATCH"],
    ] as const) {
      const { ends, decided } = await ask({}, role);
      expect(ends).toEqual([["write", 403, denied, "given"]]);
      expect(new Set(decided)).toEqual(new Set([status]));
    }
  });

  it("passes nobody whose request was answered already", async () => {
    expect((await ask({ begun: true }, "admin")).ends).toEqual([["leave"]]);
    expect((await ask({ begun: true }, "guest")).ends).toEqual([["leave"]]);
  });

  it("runs onDeny on a no only, with the result at the request by then", async () => {
    const seen: unknown[] = [];
    const onDeny = (result: Result): void => void seen.push(result.status);
    await ask({}, "admin", {}, onDeny);
    expect(seen).toEqual([]);
    await ask({}, "guest", {}, onDeny);
    expect(seen).toEqual(["OK"]);
  });

  it("gives a failure of onDeny, or of the evaluation, to the host's error handling", async () => {
    for (const onDeny of [throws, () => Promise.reject(boom)]) {
      expect((await ask({}, "guest", {}, onDeny)).ends).toEqual([["fail", boom, "given"]]);
    }
    const failed = await ask({}, "admin", { hooks: { beforeEvaluate: throws } });
    const masked = expect.objectContaining({ code: "EVALUATION_FAILED", message: "Evaluation failed" });
    expect(failed).toEqual({ ends: [["fail", masked, "given"]], decided: [undefined] });
    expect((await ask({ ended: true }, "admin", { hooks: { beforeEvaluate: throws } })).ends).toEqual([
      ["leave"],
    ]);
  });

  it("fails with what a check threw, or rejected with, and passes nobody", async () => {
    for (const run of [throws, () => Promise.reject(boom)]) {
      const { ends } = await told({}, (exchange) => failing(run, exchange));
      expect(ends).toEqual([["fail", boom, "given"]]);
    }
  });

  it("fails with what passing threw where nobody is left to catch it", async () => {
    const handler = createRequestHandler(quiet(renaming), access, { input: () => ({ role: "admin" }) });
    const { ends } = await told({}, (exchange) => handler.guard({}, { ...exchange, pass: throws }));
    expect(ends).toEqual([["fail", boom, "given"]]);
  });

  it("makes an error of ours of what is no error", async () => {
    const { ends } = await told({}, (exchange) => failing(() => Promise.reject("text"), exchange));
    expect(ends).toEqual([["fail", expect.any(DecernError), "given"]]);
    expect(ends).toEqual([["fail", expect.objectContaining({ cause: "text" }), "given"]]);
  });
});
