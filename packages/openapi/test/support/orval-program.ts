/**
 * A program over the client that orval generates from the zoo's document. It compiles only if the types are right: `Same` is
 * false for anything but one and the same type, `any` included.
 */
export const orvalProgram = `
import * as zoo from "./zoo.js";

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const right = <Claim extends true>(): Claim | undefined => undefined;

export async function call(): Promise<number | string> {
  const { status, data } = await zoo.evaluateLoanApproval({ input: { amount: 1, score: 700 }, profile: { minScore: 600 } });
  if (status === 404) return data.code;
  if (status !== 200) return status;
  return data.status === "OK" ? data.data.rate : data.message;
}
right<Same<zoo.LoanApprovalInput["amount"], number>>();
right<Same<zoo.LoanApprovalInput["purpose"], "car" | "home" | undefined>>();

right<Same<zoo.UnionsInput["scalar"], string | number>>();
right<Same<zoo.UnionsInput["literals"], 1 | "a" | null>>();
right<Same<zoo.UnionsInput["level"], "low" | "high">>();
right<Same<zoo.NullableInput["text"], string | null>>();
right<Same<zoo.NullableInput["choice"], "x" | "y" | null>>();
right<Same<zoo.NullableInput["list"], (string | null)[] | null>>();
right<Same<zoo.ArktypeInput["lit"], "x" | "y" | null>>();
right<Same<zoo.PlainDraft07Input["many"], string | number | null | undefined>>();

// Wider than the document: orval has no type for null alone, and ignores an enum of booleans or lists.
right<Same<zoo.NullableInput["nothing"], boolean | null>>();
right<Same<zoo.LiteralsInput["yes"], boolean | undefined>>();
right<Same<zoo.LiteralsInput["list"], unknown[] | undefined>>();

right<Same<zoo.LiteralsInput["number"], 0 | -1 | 1.5 | 1e21 | 1e-7 | undefined>>();
right<Same<zoo.LiteralsInput["integer"], -3 | undefined>>();
right<Same<zoo.LiteralsInput["alike"], "a" | "A" | "a-b" | "a_b" | "1" | "-1" | undefined>>();
right<Same<zoo.LiteralsInput["textOrNone"], "a" | null | undefined>>();
right<Same<zoo.LiteralsInput["numberOrNone"], 1 | null | undefined>>();
right<Same<NonNullable<zoo.LiteralsInput["object"]>["a"], 1>>();
right<Same<Extract<zoo.LiteralsInput["union"], string | number | null>, "a" | 1 | null>>();
right<null extends zoo.LiteralsInput["everything"] ? true : false>();
right<null extends zoo.LiteralsInput["referenceOrNone"] ? true : false>();
right<"text" extends zoo.LiteralsInput["referenceOrNone"] ? true : false>();
for (const text of ["", " ", "it's", 'say "x"', "*/", "null"] as const) {
  text satisfies zoo.LiteralsInput["text"];
}
`;
