export { TableEditor } from "./edit/table-editor.js";
