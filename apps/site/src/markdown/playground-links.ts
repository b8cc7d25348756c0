import { deflateRawSync } from "node:zlib";
import { importsOf, isOffered } from "../base/modules.js";
import { fragmentOf, type PlaygroundState, textOfState } from "../base/state.js";

/** A block of code in a page. */
export interface Fence {
  /** Its language, and maybe a title, as in `ts title="decisions.ts"`. */
  readonly info: string;
  readonly content: string;
}

/** Whether a block defines a decision or a contract, and needs nothing that the playground does not have. */
function isSelfContained({ info, content }: Fence): boolean {
  return (
    /^(?:ts|js)\b/.test(info) &&
    /\b(?:defineDecision|defineTable|tableContract)\(/.test(content) &&
    importsOf(content).length > 0 &&
    importsOf(content).every(isOffered)
  );
}

/**
 * What the playground opens for a block: its code, or rows with the contract that stands before them in the page.
 *
 * @param before - the page's blocks above it
 * @returns `undefined` where the block is not enough for the playground
 */
export function exampleOf(fence: Fence, before: readonly Fence[]): PlaygroundState | undefined {
  if (isSelfContained(fence)) return isContract(fence) ? undefined : { module: fence.content };
  const [, name] = /^csv title="([^"]+\.csv)"/.exec(fence.info) ?? [];
  const contract = before.findLast((one) => isSelfContained(one) && isContract(one));
  return name === undefined || contract === undefined
    ? undefined
    : { module: contract.content, table: { name, text: fence.content } };
}

/** Whether it has a contract, but no rows. */
function isContract({ content }: Fence): boolean {
  return content.includes("tableContract(") && !/\b(?:readTable|defineTable)\(/.test(content);
}

/** The fragment that opens a state in the playground, or `undefined` if the state is too long for a link. */
export function playgroundFragment(state: PlaygroundState): string | undefined {
  return fragmentOf(deflateRawSync(textOfState(state)));
}
