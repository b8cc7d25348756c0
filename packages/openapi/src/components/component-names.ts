/**
 * Hands out unique names. Upper and lower case count as equal, because generators write one file per name and some file
 * systems ignore case. Underscores do not count, because some generators leave them out.
 */
export class ComponentNames {
  readonly #taken = new Set<string>();
  readonly #next = new Map<string, number>();

  /**
   * Claims a name. Appends a number if the name is taken.
   *
   * @param suffixes - suffixes that the name will get; the name must be free with each of them
   */
  claim(wanted: string, suffixes: readonly string[] = [""]): string {
    const key = [plain(wanted), ...suffixes].join();
    let number = this.#next.get(key) ?? 1;
    let name = number === 1 ? wanted : `${wanted}${number}`;
    while (suffixes.some((suffix) => this.#taken.has(plain(name + suffix)))) {
      number += 1;
      name = `${wanted}${number}`;
    }
    this.#next.set(key, number + 1);
    for (const suffix of suffixes) this.#taken.add(plain(name + suffix));
    return name;
  }
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll("_", "");
}

/** Turns the version of a decision into the end of a type name: `1.2.0` is `V1_2_0`. */
export function versionName(version: string): string {
  return `V${version.replaceAll(/[^A-Za-z0-9]+/g, "_").replaceAll(/^_|_$/g, "")}`;
}

/** Turns any text into a type name: `loan-approval` is `LoanApproval`, `2fa` is `Decision2fa`. */
export function typeName(text: string, fallback: string): string {
  const name = text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("");
  return /^[A-Z]/.test(name) ? name : fallback + name;
}
