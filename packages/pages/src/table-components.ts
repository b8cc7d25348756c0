export { DecidingRows, TableSection } from "./table/table-section.js";
