/** What the demo service is told by its flags and its environment. */
export interface Settings {
  readonly port: number;
  readonly host: string;
  /** Path of a JSON file of profiles; absent, the built-in ones serve. */
  readonly profilesFile: string | undefined;
  readonly metrics: boolean;
  readonly openapi: boolean;
  readonly cors: boolean;
  readonly profileOverride: boolean;
  /** Above this delay of the event loop, in milliseconds, requests are turned away; absent, none is. */
  readonly maxDelayMs: number | undefined;
  /** Empty, nobody has to prove who they are. */
  readonly apiKeys: readonly string[];
}
