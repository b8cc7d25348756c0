export type { HitPolicy, TableDocument, TableProblem } from "./document/document.js";
