import { describe, expect, it } from "vitest";
import { type Framework, starter } from "./framework.js";
import { access, loan } from "./loan-and-access.js";

/** Checks what serves a set of decisions: its options, and what stays the host's. */
export function setSuite<Request, Reply>(framework: Framework<Request, Reply>): void {
  describe(`${framework.name}, ${framework.ways.set}`, () => {
    const start = starter(framework);
    const host = (options: object, around: Parameters<typeof start>[2] = {}) =>
      start(framework.ways.set, { decision: loan, ...options }, around);

    it("keeps the host's own Link header beside that of a deprecated version", async () => {
      const deprecated = { [loan.version]: { since: "2026-01-31", link: "/old" } };
      const { send } = await host(
        { versions: { loan: { default: loan.version, deprecated } } },
        { before: (_request, reply) => framework.setHeader(reply, "link", "</style.css>; rel=preload") },
      );
      const { headers } = await send({ score: 700 });
      expect(headers["link"]).toBe('</style.css>; rel=preload, </old>; rel="deprecation"');
    });

    it("gives a resolved profile that breaks its schema to the host's error handling", async () => {
      const { send, handled } = await host({ profileResolver: () => ({ minScore: "x" }) });
      expect(await send({ score: 700 })).toMatchObject({ body: "the host's" });
      const error = expect.objectContaining({ code: "INVALID_HOST_PROFILE", message: "Evaluation failed" });
      expect(handled).toEqual([{ error, status: undefined }]);
    });

    it.each<readonly [object, string]>([
      [{ prefix: "/:tenant" }, "/prefix"],
      [{ profiles: { lone: {} } }, "/profiles/lone"],
      [{ profiles: { loan: { minScore: "x" } } }, "/profiles/loan"],
      [{ decisions: [loan, access, loan] }, "/decisions/2"],
      [{ decisions: undefined }, "/decisions"],
      [{ profile: {} }, "/profile"],
    ])("refuses the options %#", async (options, path) => {
      await expect(host(options)).rejects.toMatchObject({
        code: "INVALID_OPTIONS",
        problems: expect.arrayContaining([expect.objectContaining({ path: expect.stringContaining(path) })]),
      });
    });
  });
}
