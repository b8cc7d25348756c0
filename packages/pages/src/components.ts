import "./styles/docs.css";

export { Outcome } from "./answer/outcome.js";
export { Ladder } from "./answer/rungs.js";
export { ExampleBar, type Proofs, useProofs } from "./call/example-bar.js";
export { ProfileEditor } from "./call/profile-editor.js";
export { type CallDraft, useCallDraft } from "./call/use-call-draft.js";
export { ValueEditor } from "./form/value-editor.js";
export { isObject, readPointer, sameJson } from "./json/values.js";
export { draftIssues, type SharedCall } from "./model/call.js";
export { type WorkedExample, workedExamples } from "./model/examples.js";
export { evaluatedRungs, type Issue, issuesOf, ladderOf, type Reply } from "./model/reply.js";
export { Choice, CopyButton } from "./parts/controls.js";
export { PageHead, SkipTo, show } from "./parts/page-head.js";
export type { MarkedRows } from "./table/marked-rows.js";
