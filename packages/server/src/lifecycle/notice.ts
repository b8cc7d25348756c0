/** The text that `listen` prints once the server is bound. */
export function startupNotice(origin: string, port: number, decisionCount: number, docs: boolean): string {
  const noun = decisionCount === 1 ? "decision" : "decisions";
  return [
    `Decern is listening on port ${port} with ${decisionCount} ${noun}`,
    ...(docs ? [`  Docs: ${origin}/docs`] : []),
    `  API:  ${origin}/decisions`,
    "",
  ].join("\n");
}
