/**
 * Reads the texts in a PowerShell script, by the rules of "about_Quoting_Rules": in a here-string everything is literal up to a
 * line that starts with a quote and `@`; in single quotes everything is literal but two quotes, which are one. Each of the
 * curly single quotes counts as a quote.
 *
 * @see https://learn.microsoft.com/powershell/module/microsoft.powershell.core/about/about_quoting_rules
 */
export function readPowerShell(script: string): readonly string[] {
  const texts: string[] = [];
  let rest = script;
  for (;;) {
    const start = rest.search(/@?['‘’‚‛"“”„]/);
    if (start < 0) return texts;
    rest = rest.slice(start);
    const [, hereString] = /^@['‘’‚‛][ \t]*\r?\n([\s\S]*?)\r?\n['‘’‚‛]@/.exec(rest) ?? [];
    const [whole, text] = /^['‘’‚‛]((?:[^'‘’‚‛]|['‘’‚‛]{2})*)['‘’‚‛]/.exec(rest) ?? [];
    if (hereString !== undefined) {
      texts.push(hereString);
      rest = rest.slice(rest.indexOf(hereString) + hereString.length).replace(/^\r?\n.@/, "");
    } else if (whole !== undefined && text !== undefined) {
      texts.push(text.replaceAll(/['‘’‚‛]{2}/g, (quotes) => quotes.charAt(0)));
      rest = rest.slice(whole.length);
    } else {
      throw new Error(`not a text that ends: ${rest.slice(0, 40)}`);
    }
  }
}
