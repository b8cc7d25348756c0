declare module "dockerfilelint" {
  /** One entry per finding. */
  export function run(folder: string, dockerfile: string, options: object): readonly object[];
}
