/** A file of records. */
export interface RecordFile {
  /** For messages. */
  readonly name: string;
  readonly path: string;
}
