import { decisionLog, ndjsonFiles } from "@decern/decision-log";

export const port = Number(process.env.PORT ?? 3000);
export const host = process.env.HOST ?? "localhost";

const folder = process.env.RECORDS;

/** Keeps a record of every evaluation, if RECORDS names a folder. */
export const log = folder
  ? decisionLog({ store: ndjsonFiles(folder), build: process.env.GIT_SHA })
  : undefined;
