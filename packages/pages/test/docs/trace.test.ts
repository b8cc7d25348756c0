import { expect, it } from "vitest";
import { withTrace } from "../../src/model/trace.js";

it("tells the envelope from the trace", () => {
  const inner = { decisionId: "b", version: "2", input: 1, envelope: { status: "OK" }, used: [] };
  const outer = { decisionId: "a", version: "1", input: null, envelope: null, used: [inner] };
  expect(withTrace({ envelope: { status: "OK" }, used: [outer], truncated: true })).toEqual({
    body: { status: "OK" },
    trace: {
      truncated: true,
      used: [
        {
          id: "a",
          version: "1",
          input: null,
          envelope: null,
          used: [{ id: "b", version: "2", input: 1, envelope: { status: "OK" }, used: [] }],
        },
      ],
    },
  });
});

it("leaves errors, and whatever a proxy replies, as they are", () => {
  for (const body of [undefined, null, "text", { error: "Overloaded", code: "OVERLOADED" }, []]) {
    expect(withTrace(body)).toEqual({ body });
  }
  expect(withTrace({ envelope: 1, used: [1, null, {}] })).toEqual({
    body: 1,
    trace: {
      truncated: false,
      used: [{ id: "", version: "", input: undefined, envelope: undefined, used: [] }],
    },
  });
});
