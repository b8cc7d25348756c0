import { DecernError, escapePointer, isJsonObject, type Problem } from "@decern/core";
import type { OpenAPIInfo } from "./document.js";

/**
 * Refuses an info block that OpenAPI 3.0 would not take.
 *
 * @returns a copy without what is `undefined`
 * @throws DecernError `INVALID_OPTIONS` with every problem
 */
export function checkInfo(info: OpenAPIInfo): OpenAPIInfo {
  const problems: Problem[] = [];
  const report = (path: string, message: string): void => void problems.push({ path, message });
  if (!isJsonObject(info)) report("/info", "has to be an object");
  else {
    checkKeys("/info", info, ["title", "version", "description", "contact", "license"], report);
    const { title, version, description, contact, license } = info;
    checkText("/info/title", title, report);
    checkText("/info/version", version, report);
    if (description !== undefined && typeof description !== "string")
      report("/info/description", "has to be a string");
    if (contact !== undefined) checkContact(contact, report);
    if (license !== undefined) checkLicense(license, report);
  }
  if (problems.length > 0) throw new DecernError("INVALID_OPTIONS", { detail: "openapi", problems });
  const { contact, license, ...texts } = info;
  return {
    ...texts,
    ...(contact === undefined ? {} : { contact: { ...contact } }),
    ...(license === undefined ? {} : { license: { ...license } }),
  };
}

type Report = (path: string, message: string) => void;

function checkContact(contact: unknown, report: Report): void {
  if (!isJsonObject(contact)) return report("/info/contact", "has to be an object");
  checkKeys("/info/contact", contact, ["name", "url", "email"], report);
  const { name, url, email } = contact;
  if (name !== undefined) checkText("/info/contact/name", name, report);
  if (url !== undefined) checkUrl("/info/contact/url", url, report);
  if (email !== undefined && (typeof email !== "string" || !/^[^\s@]+@[^\s@]+$/.test(email)))
    report("/info/contact/email", "has to be an e-mail address");
}

function checkLicense(license: unknown, report: Report): void {
  if (!isJsonObject(license)) return report("/info/license", "has to be an object");
  checkKeys("/info/license", license, ["name", "url"], report);
  checkText("/info/license/name", license["name"], report);
  if (license["url"] !== undefined) checkUrl("/info/license/url", license["url"], report);
}

function checkKeys(path: string, object: object, known: readonly string[], report: Report): void {
  for (const key of Object.keys(object)) {
    if (!known.includes(key)) {
      report(`${path}/${escapePointer(key)}`, `is not known; known are ${known.join(", ")}`);
    }
  }
}

function checkText(path: string, value: unknown, report: Report): void {
  if (typeof value !== "string" || value.trim() === "") report(path, "has to be a string that is not empty");
}

function checkUrl(path: string, value: unknown, report: Report): void {
  if (typeof value !== "string" || !URL.canParse(value)) report(path, "has to be a URL");
}
