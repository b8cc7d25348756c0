import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "vitest";
import { expectedAnswers } from "../support/requests.js";
import { killAll, startProcess, startService } from "../support/service.js";

const script = fileURLToPath(new URL("../../requests/requests.sh", import.meta.url));

afterAll(killAll);

it("requests.sh sends every body with curl", async () => {
  const service = await startService();
  const run = startProcess("sh", [script, service.url]);
  expect(await run.ended).toMatchObject({ code: 0 });
  const sent = run.output().matchAll(/^(\S+\/\S+)\n[\s\S]*?\n {2}HTTP (\d+)$/gm);
  const codes = Object.fromEntries([...sent].map(([, file, code]) => [file, Number(code)]));
  const wanted = expectedAnswers.filter(({ file, method }) => file !== undefined && method === undefined);
  expect(codes).toEqual(Object.fromEntries(wanted.map(({ file, status }) => [file, status])));
});
