/**
 * Gives out names that are free. Upper and lower case count as the same, because generators write one file a name, and
 * not every file system tells them apart.
 */
export class ComponentNames {
  readonly #taken = new Set<string>();
  readonly #next = new Map<string, number>();

  /**
   * Takes a name, with a number behind it where the name is taken already.
   *
   * @param suffixes - what will be put behind the name; the name is free when it is with each of them
   */
  claim(wanted: string, suffixes: readonly string[] = [""]): string {
    const key = [wanted.toLowerCase(), ...suffixes].join();
    let number = this.#next.get(key) ?? 1;
    let name = number === 1 ? wanted : `${wanted}${number}`;
    while (suffixes.some((suffix) => this.#taken.has((name + suffix).toLowerCase()))) {
      number += 1;
      name = `${wanted}${number}`;
    }
    this.#next.set(key, number + 1);
    for (const suffix of suffixes) this.#taken.add((name + suffix).toLowerCase());
    return name;
  }
}

/** Writes any text as a type's name: `loan-approval` is `LoanApproval`, `2fa` is `Decision2fa`. */
export function typeName(text: string, fallback: string): string {
  const name = text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("");
  return /^[A-Z]/.test(name) ? name : fallback + name;
}
