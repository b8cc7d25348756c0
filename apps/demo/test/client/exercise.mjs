/**
 * Calls a service in every way that must work in every runtime, and returns what came of it. Runs where there is no
 * `node:` module, so it imports nothing.
 *
 * @param {typeof import("@decern/client")} library
 * @param {string} url
 */
export async function exercise({ createClient, DecernClientError }, url) {
  const decern = createClient({ url, headers: { "x-api-key": "key-1" } });
  const well = {
    respirationRate: 16,
    spo2: 97,
    breathing: "air",
    systolicBloodPressure: 122,
    pulse: 72,
    consciousness: "A",
    temperature: 36.8,
  };
  /** @param {Promise<unknown>} call */
  const failure = (call) =>
    call.then(
      () => "no failure",
      (error) => [error instanceof DecernClientError, error.code, error.status, error.requestId],
    );
  const controller = new AbortController();
  const aborted = failure(decern.news2(well, { signal: controller.signal, requestId: "aborted" }));
  controller.abort();
  const result = await decern.news2(well, { requestId: "exercise-1" });
  const invalid = await decern.news2({ ...well, pulse: "fast" });
  return {
    ok: [result.status, result.meta.matchedRule, result.data],
    invalid: [invalid.status, invalid.errors.map((error) => error.path)],
    unknown: await failure(decern.nothing(well, { requestId: "exercise-2" })),
    version: (await failure(decern.news2(well, { version: "0.0.0", requestId: "exercise-3" })))[1],
    refused: await failure(createClient({ url }).news2(well, { requestId: "exercise-4" })),
    unreachable: await failure(createClient({ url: "http://127.0.0.1:1", retries: 0 }).news2(well)),
    late: (
      await failure(createClient({ url, fetch: () => new Promise(() => {}), timeoutMs: 1 }).news2(well))
    )[1],
    aborted: await aborted,
  };
}
