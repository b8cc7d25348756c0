/** The settings of the demo service, from its flags and its environment. */
export interface Settings {
  readonly port: number;
  readonly host: string;
  /** Path of a JSON file of profiles. @default the built-in profiles */
  readonly profilesFile: string | undefined;
  /** How long to wait before the profiles file is read again, in milliseconds. */
  readonly reloadMs: number;
  /** How many of the callers get the new version of `loan-approval`, in per cent. */
  readonly rollOutPercent: number;
  /** Folder for the records of all decisions. @default no records are kept */
  readonly recordsFolder: string | undefined;
  /** Key of the pseudonyms by which records are found and erased. @default records have no pseudonym */
  readonly subjectKey: string | undefined;
  readonly metrics: boolean;
  readonly openapi: boolean;
  readonly cors: boolean;
  readonly profileOverride: boolean;
  /** Maximum delay of the event loop, in milliseconds. @default no limit */
  readonly maxDelayMs: number | undefined;
  /** How old a connection may become, in milliseconds. */
  readonly maxConnectionAgeMs: number;
  /** The valid API keys: a list, or the keys of each caller. @default no authentication is required */
  readonly apiKeys: readonly string[] | Readonly<Record<string, readonly string[]>> | undefined;
}
