declare module "dockerfilelint" {
  /** One entry a finding; empty when there are none. */
  export function run(folder: string, dockerfile: string, options: object): readonly object[];
}
