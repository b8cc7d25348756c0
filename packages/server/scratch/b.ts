import { defineDecision, type Decision, type DecisionSetOptions, type KnownOptions } from "@decern/core";
import { z } from "zod";
declare function f<const Decisions extends readonly Decision[],
  Key extends PropertyKey = never,
  Given extends PropertyKey = never,
>(options: DecisionSetOptions<Decisions, Key, Given> & KnownOptions<Given, DecisionSetOptions>): [Decisions, Key, Given];
const make = <const V extends string>(version: V) => ({id: "loan" as const, version, 
  inputSchema: z.object({ a: z.number() }),
  outputSchema: z.object({ b: z.string() }),
  profileSchema: z.object({}),
  rules: [{ id: "r" as const, when: () => true, emit: () => ({ b: "" }) }],
});
export const x: 1 = f({ decisions: [defineDecision(make("1")), defineDecision(make("2"))], profiles: {}, profileResolver: ({caller})=> caller });
const partial: Omit<DecisionSetOptions, "decisions"> = {};
export const y: 1 = f({ decisions: [defineDecision(make("1")), defineDecision(make("2"))], ...partial });
