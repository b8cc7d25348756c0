/** What follows the name of a user in a URL: up to the last `@`, since a password may hold what should have been escaped. */
const password = /(\b[a-z][a-z\d+.-]{0,20}:\/\/[^\s"'/?#:@]*):(?!\d{1,5}(?:[\s"'/?#]|$))[^\s"']*@/gi;
/** A password in the query of a URL, as PostgreSQL takes it. */
const parameter = /([?&](?:ssl)?password=)[^\s"'&#]*/gi;

/** A text whose URLs have no passwords: what a user is told ends up in logs. */
export function withoutPasswords(text: string): string {
  return text.replaceAll(password, "$1:***@").replaceAll(parameter, "$1***");
}
