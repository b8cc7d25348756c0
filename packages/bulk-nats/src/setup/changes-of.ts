/** What is wanted and not there yet; `undefined` where everything is. */
export function changesOf<Config extends object>(
  existing: Config,
  wanted: Partial<Config>,
): Partial<Config> | undefined {
  const isThere = Object.entries(wanted).every(([name, value]) => Reflect.get(existing, name) === value);
  return isThere ? undefined : wanted;
}
