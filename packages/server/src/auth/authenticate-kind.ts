import type { SecurityDescription } from "@decern/core/host";
import { type OptionKind, optionKinds } from "@decern/core/tools";

const { callback, group, object, text } = optionKinds;

/** The name of a component in an OpenAPI document. */
const componentName: OptionKind = (value, path) =>
  typeof value === "string" && /^[A-Za-z0-9._-]+$/.test(value)
    ? []
    : [{ path, message: "must consist of A-Z a-z 0-9 . _ -" }];

const security = group<SecurityDescription>({ name: componentName, scheme: object }, ["name", "scheme"]);

/** What Node accepts as the value of a header. */
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/** The `authenticate` option: a function, optionally with `security` and `challenge`. */
export const authenticateKind: OptionKind = (value, path) => {
  if (typeof value !== "function") return callback(value, path);
  const described: unknown = Reflect.get(value, "security");
  const challenge: unknown = Reflect.get(value, "challenge");
  return [
    ...(described === undefined ? [] : security(described, `${path}/security`)),
    ...(challenge === undefined ? [] : challengeProblems(challenge, `${path}/challenge`)),
  ];
};

const challengeProblems: OptionKind = (value, path) => {
  if (typeof value !== "string") return text(value, path);
  return headerValue.test(value) ? [] : [{ path, message: "must be a valid header value" }];
};
