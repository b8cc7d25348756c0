/** The line of a profile in a file of records. @param profile - as canonical JSON. Keys are in the order of canonical JSON */
export function profileLine(hash: string, profile: string): string {
  return `{"profile":${profile},"profileHash":${JSON.stringify(hash)},"recordVersion":1}\n`;
}
