import { CommandError } from "../command-line/command.js";

/** @throws CommandError for a text that names no database; it may hold a password, so the message does not show it */
export function databaseUrl(text: string): URL {
  // A socket's URL has a user and no host, which `URL` does not read.
  const complete = text.replace(/^([a-z]+:\/\/)([^/?#]*@)?(?=[/?#]|$)/, "$1$2localhost");
  if (!URL.canParse(complete)) {
    throw new CommandError("the address of the database must look like postgres://user@host/database");
  }
  return new URL(complete);
}
