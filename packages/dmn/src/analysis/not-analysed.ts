/** A table has something that the analysis of plain tables doesn't know; the message says what. */
export class NotAnalysed extends Error {
  override readonly name = "NotAnalysed";
}
