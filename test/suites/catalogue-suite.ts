import { afterEach, describe, expect, it } from "vitest";
import {
  type Awaitable,
  type Decision,
  type DecisionSetOptions,
  defineDecision,
  type EvaluationEvent,
  type EvaluatorOptions,
  type HookContext,
  type Hooks,
  type Schema,
  type ShadowEvent,
} from "../../packages/core/src/index.js";
import { watchProfiles } from "../support/watch.js";
import { gate } from "./gate.js";
import type { HostReply } from "./host-suite.js";
import { anything, demanding } from "./suite-decisions.js";

/** What a host must mount. */
export interface CatalogueHostOptions extends EvaluatorOptions {
  readonly decisions: readonly Decision[];
  readonly profiles?: DecisionSetOptions["profiles"];
  readonly profileResolver?: DecisionSetOptions["profileResolver"];
  readonly versions?: DecisionSetOptions["versions"];
  readonly shadow?: DecisionSetOptions["shadow"];
  readonly features?: DecisionSetOptions["features"];
  /** Names who asks. */
  readonly caller?: (headers: Readonly<Record<string, unknown>>) => string | undefined;
}

export interface MountedCatalogue {
  /** Posts JSON text to a path. */
  post(path: string, headers: Readonly<Record<string, string>>, body: string): Promise<HostReply>;
  /** Under which the decisions are. */
  readonly prefix: string;
  close?(): Awaitable<unknown>;
}

/** A host that serves decisions. */
export interface CatalogueHost {
  mount(options: CatalogueHostOptions): Awaitable<MountedCatalogue>;
  /** The body for an input, both as JSON text. @default the input itself */
  wrap?(input: string): string;
}

const { jsonSchema } = anything["~standard"];
const tonal: Schema<{ readonly tone?: string }, { readonly tone: string }> = {
  "~standard": {
    version: 1,
    vendor: "suite",
    jsonSchema,
    validate: (value: unknown) => {
      const tone: unknown =
        typeof value === "object" && value !== null && "tone" in value ? value.tone : "none";
      return typeof tone === "string"
        ? { value: { tone } }
        : { issues: [{ message: "must be string", pointer: "/tone", keyword: "type" }] };
    },
  },
};

/** Replies with what its rule was told. */
function telling(version: string, uses: readonly Decision[] = []) {
  return defineDecision({
    id: "telling",
    version,
    inputSchema: anything,
    outputSchema: anything,
    profileSchema: tonal,
    uses,
    rules: [
      {
        id: "always",
        when: () => true,
        emit: (input, profile, { caller }) => {
          if (typeof input === "object" && input !== null && "fails" in input) throw new Error("secret");
          return { caller: caller ?? null, tone: profile.tone };
        },
      },
    ],
  });
}

function starter({ mount, wrap = (input) => input }: CatalogueHost) {
  const open: MountedCatalogue[] = [];
  afterEach(async () => {
    for (const mounted of open.splice(0)) await mounted.close?.();
  });

  return async (options: Partial<CatalogueHostOptions> = {}) => {
    const events: EvaluationEvent[] = [];
    const shadows: ShadowEvent[] = [];
    const errors: { context: HookContext; error: unknown }[] = [];
    const hooks: Hooks = {
      ...options.hooks,
      onError: (context, error) => {
        errors.push({ context, error });
        return options.hooks?.onError?.(context, error);
      },
    };
    const mounted = await mount({
      decisions: [telling("1.0.0")],
      logger: { error: () => {}, warn: () => {} },
      ...options,
      hooks,
      observers: [
        ...(options.observers ?? []),
        {
          onEvaluated: (event) => void events.push(event),
          onShadowEvaluated: (event) => void shadows.push(event),
        },
      ],
    });
    open.push(mounted);
    const post = async (path: string, headers: Record<string, string>, input: unknown) => {
      const body = wrap(JSON.stringify(input));
      const all = { "content-type": "application/json", ...headers };
      const reply = await mounted.post(`${mounted.prefix}${path}`, all, body);
      const isJson = String(reply.headers["content-type"]).startsWith("application/json");
      return { ...reply, json: isJson ? JSON.parse(reply.body) : undefined };
    };
    const ask = (headers: Record<string, string> = {}, input: unknown = {}) =>
      post("/telling", headers, input);
    const pin = (version: string, input: unknown = {}) =>
      post(`/telling/versions/${encodeURIComponent(version)}`, {}, input);
    const counted = () => events.map(({ status }) => status);
    return { mounted, post, ask, pin, events, shadows, errors, counted };
  };
}

const named = (headers: Readonly<Record<string, unknown>>): string => String(headers["x-who"]);

/** Checks that whoever watches an evaluation learns who asked, and with which request. */
export function callerSuite(name: string, host: CatalogueHost): void {
  describe(`${name}: callers`, () => {
    const start = starter(host);

    it("tells rules, hooks and observers who asks; callers never mix", async () => {
      const seen: (readonly [string, string | undefined])[] = [];
      const note = (hook: string) => async (context: HookContext) => {
        // Other requests come in between.
        await new Promise((resolve) => setImmediate(resolve));
        expect(context.request?.headers["x-who"]).toBe(context.caller);
        seen.push([hook, context.caller]);
      };
      const { ask, events } = await start({
        caller: named,
        hooks: { beforeEvaluate: note("before"), afterEvaluate: note("after"), onError: note("error") },
      });
      const names = Array.from({ length: 12 }, (_, index) => `caller-${index}`);
      const replies = await Promise.all(
        names.map((who, index) => ask({ "x-who": who }, index % 2 === 0 ? {} : { fails: true })),
      );
      expect(replies.map(({ json }) => json.data?.caller)).toEqual(
        names.map((who, index) => (index % 2 === 0 ? who : undefined)),
      );
      expect(seen.toSorted()).toEqual(
        names
          .flatMap((who, index) => [
            ["before", who],
            [index % 2 === 0 ? "after" : "error", who],
          ])
          .toSorted(),
      );
      expect(events.map(({ context }) => context.caller).toSorted()).toEqual(names.toSorted());
    });

    it("has no caller where nobody is asked, but the request", async () => {
      const contexts: HookContext[] = [];
      const { ask } = await start({ hooks: { beforeEvaluate: (context) => void contexts.push(context) } });
      expect((await ask()).json.data.caller).toBeNull();
      const [context] = contexts;
      expect({ hasCaller: context && "caller" in context, method: context?.request?.method }).toEqual({
        hasCaller: false,
        method: "POST",
      });
    });

    it("shows the request: method, path without its query, headers and address", async () => {
      const views: unknown[] = [];
      const { post, mounted } = await start({
        hooks: {
          beforeEvaluate: ({ request }) => {
            views.push([
              request?.method,
              request?.path,
              request?.headers["x-mark"],
              request?.headers["X-Mark"],
            ]);
            views.push(request?.ip);
          },
        },
      });
      await post("/telling?token=secret", { "x-mark": "this one" }, {});
      expect(views[0]).toEqual(["POST", `${mounted.prefix}/telling`, "this one", undefined]);
      expect(views[1]).toMatch(/127\.0\.0\.1$|^::1$/);
    });

    it("lets no hook change the request or who asks", async () => {
      const { ask, events } = await start({
        caller: named,
        hooks: {
          beforeEvaluate: ({ request }) => {
            for (const [target, key] of [
              [request, "path"],
              [request, "caller"],
              [request?.headers, "x-who"],
              [request?.headers, "x-new"],
            ] as const) {
              if (target !== undefined) expect(Reflect.set(target, key, "changed")).toBe(false);
            }
            return { caller: "somebody else" };
          },
        },
      });
      const reply = await ask({ "x-who": "me" });
      expect({ status: reply.status, data: reply.json.data }).toEqual({
        status: 200,
        data: { caller: "me", tone: "none" },
      });
      expect(events.map(({ context }) => [context.caller, context.request?.headers["x-who"]])).toEqual([
        ["me", "me"],
      ]);
      expect(events[0]?.context.request?.headers).not.toHaveProperty("x-new");
    });
  });
}

/** Checks which profile a host of several decisions evaluates a call with. */
export function profileChoiceSuite(name: string, host: CatalogueHost): void {
  describe(`${name}: choice of profiles`, () => {
    const start = starter(host);
    const profiles = { telling: { tone: "default" }, "telling#strict": { tone: "strict" } };

    it.each([
      ["at once", <T>(value: T): Awaitable<T> => value],
      ["later", <T>(value: T): Awaitable<T> => Promise.resolve(value)],
    ])(
      "takes what profileResolver returns %s: a profile, a named one, or the default",
      async (_when, give) => {
        const calls: unknown[] = [];
        const { ask, counted } = await start({
          profiles,
          caller: named,
          profileResolver: ({ named, ...call }) => {
            calls.push({ ...call, request: call.request?.headers["x-who"] });
            if (call.caller === "own") return give({ tone: "of its own" });
            return give(call.caller === "strict" ? named("strict") : undefined);
          },
        });
        const tones = [];
        for (const who of ["own", "strict", "plain"])
          tones.push((await ask({ "x-who": who })).json.data.tone);
        expect(tones).toEqual(["of its own", "strict", "default"]);
        const call = { decisionId: "telling", selectedBy: "default", decisionVersion: "1.0.0" };
        expect(calls).toEqual([
          { ...call, caller: "own", request: "own" },
          { ...call, caller: "strict", request: "strict" },
          { ...call, caller: "plain", request: "plain" },
        ]);
        expect(counted()).toEqual(["OK", "OK", "OK"]);
      },
    );

    it("resolves the profile for the version that evaluates the call", async () => {
      const { ask, pin } = await start({
        decisions: [telling("1.0.0"), telling("2.0.0")],
        versions: { telling: { default: "2.0.0" } },
        profiles: { ...profiles, "telling@2.0.0#strict": { tone: "strict 2" } },
        profileResolver: ({ named }) => named("strict"),
      });
      expect((await ask()).json.data.tone).toBe("strict 2");
      expect((await pin("1.0.0")).json.data.tone).toBe("strict");
    });

    const broken: readonly (readonly [string, () => unknown, number])[] = [
      ["returns a profile that breaks its schema", () => ({ tone: 13 }), 500],
      ["returns null", () => null, 200],
      [
        "throws",
        () => {
          throw new Error("secret");
        },
        500,
      ],
      ["rejects", () => Promise.reject(new Error("secret")), 500],
      ["never settles", () => new Promise(() => {}), 503],
    ];
    it.each(broken)(
      "makes it the host's fault when profileResolver %s: reported once, counted once",
      async (_what, profileResolver, status) => {
        const { ask, counted, errors } = await start({ profileResolver, hookTimeoutMs: 20 });
        const reply = await ask();
        expect(reply.status).toBe(status);
        if (status === 200) return;
        expect({ counted: counted(), errorCount: errors.length }).toEqual({
          counted: ["ERROR"],
          errorCount: 1,
        });
        expect(reply.headers["x-request-id"]).toBe(errors[0]?.context.requestId);
      },
    );

    it("makes it the host's fault when profileResolver names a profile that does not exist", async () => {
      const { ask, counted, errors } = await start({
        profiles,
        profileResolver: ({ named }) => named("lax"),
      });
      expect((await ask()).status).toBe(500);
      expect({ counted: counted(), errorCount: errors.length }).toEqual({
        counted: ["ERROR"],
        errorCount: 1,
      });
    });

    it("replies PROFILES_NOT_LOADED with 503 until watched profiles are there, then evaluates with them", async () => {
      const ready = gate();
      const load = async () => {
        await ready.opened;
        return { profiles };
      };
      const { ask, pin, counted } = await start({ profiles: watchProfiles({ load }) });
      for (const reply of [await ask(), await pin("1.0.0")]) {
        expect({ status: reply.status, json: reply.json }).toEqual({
          status: 503,
          json: { error: "Profiles could not be loaded", code: "PROFILES_NOT_LOADED" },
        });
      }
      ready.open();
      await expect.poll(async () => (await ask()).status).toBe(200);
      expect((await ask()).json.data.tone).toBe("default");
      expect(counted().slice(0, 2)).toEqual(["ERROR", "ERROR"]);
    });

    it("refuses to start with a watched file that is not there", async () => {
      await expect(
        start({ profiles: watchProfiles({ file: "/there/is/no/such/file.json" }) }),
      ).rejects.toMatchObject({
        code: "INVALID_OPTIONS",
        problems: [{ path: "/profiles" }],
      });
    });

    it("refuses to start when a used decision lacks its profile, which no resolver and no hook can bring", async () => {
      const options = {
        decisions: [telling("1.0.0", [demanding])],
        profileResolver: () => ({ tone: "x" }),
        hooks: { beforeEvaluate: () => ({ profile: { tone: "x" } }) },
      };
      await expect(start(options)).rejects.toMatchObject({
        code: "INVALID_OPTIONS",
        problems: [{ path: "/profiles/demanding", message: expect.stringContaining("/limit is required") }],
      });
      const { ask } = await start({ ...options, profiles: { demanding: { limit: 1 } } });
      expect((await ask()).status).toBe(200);
    });
  });
}

/** Checks how a host serves several versions of one id. */
export function versionSuite(name: string, host: CatalogueHost): void {
  describe(`${name}: versions`, () => {
    const start = starter(host);
    const decisions = [telling("1.0.0"), telling("1.2.0"), telling("2.0.0")];
    const deprecated = {
      "1.0.0": { since: "2026-01-31", sunset: "2027-01-31T00:00:00Z", link: "https://example.com/old" },
      "1.2.0": { since: new Date("2026-06-30T12:00:00.900Z") },
    };
    const policy = { default: "1.2.0", deprecated, retired: ["0.9.0"] };
    const versionOf = ({ json }: { readonly json: { readonly meta: object } }) =>
      Reflect.get(json.meta, "decisionVersion");

    it("evaluates a call by the default version, and by the one that its path names", async () => {
      const { ask, pin, counted } = await start({ decisions, versions: { telling: policy } });
      expect(versionOf(await ask())).toBe("1.2.0");
      for (const { version } of decisions) expect(versionOf(await pin(version))).toBe(version);
      expect(counted()).toEqual(["OK", "OK", "OK", "OK"]);
    });

    it("evaluates a call by the version that select returns, but not where its path names another", async () => {
      const { ask, post } = await start({
        decisions,
        caller: named,
        versions: {
          telling: {
            ...policy,
            select: ({ input, caller, request }) => {
              if (caller === "new" && request?.headers["x-who"] === "new") return "2.0.0";
              return typeof input === "object" && input !== null && "old" in input ? "1.0.0" : undefined;
            },
          },
        },
      });
      expect(versionOf(await ask({ "x-who": "new" }))).toBe("2.0.0");
      expect(versionOf(await ask({ "x-who": "me" }, { old: true }))).toBe("1.0.0");
      expect(versionOf(await ask({ "x-who": "me" }))).toBe("1.2.0");
      const pinned = await post("/telling/versions/1.0.0", { "x-who": "new" }, {});
      expect(versionOf(pinned)).toBe("1.0.0");
    });

    it("tells hooks, observers and profileResolver which version is evaluated, and how it was chosen", async () => {
      const seen: unknown[] = [];
      const note = ({ decisionVersion, selectedBy }: HookContext) =>
        void seen.push([decisionVersion, selectedBy]);
      const { ask, pin, events } = await start({
        decisions,
        versions: {
          telling: {
            ...policy,
            select: ({ request }) => (request?.headers["x-who"] === "new" ? "2.0.0" : undefined),
          },
        },
        hooks: {
          beforeEvaluate: (context) => {
            note(context);
            // Nothing that a hook returns changes what is evaluated, nor what the next one is told.
            return { ...context, decisionVersion: "1.0.0", selectedBy: "default" };
          },
          afterEvaluate: note,
          onError: note,
        },
        profileResolver: ({ decisionVersion, selectedBy }) => {
          seen.push([decisionVersion, selectedBy]);
          return undefined;
        },
      });
      const told = async (call: Promise<unknown>) => {
        await call;
        const { context } = events.at(-1) ?? {};
        return [...seen.splice(0), [context?.decisionVersion, context?.selectedBy]];
      };
      const times = (...one: readonly string[]) => Array.from({ length: 4 }, () => one);
      expect(await told(ask({ "x-who": "new" }))).toEqual(times("2.0.0", "select"));
      expect(await told(ask())).toEqual(times("1.2.0", "default"));
      expect(await told(pin("1.0.0"))).toEqual(times("1.0.0", "path"));
      expect(await told(pin("2.0.0", { fails: true }))).toEqual(times("2.0.0", "path"));
      const fixed = await start({
        decisions,
        versions: { telling: policy },
        hooks: { beforeEvaluate: note },
      });
      await fixed.ask();
      expect(seen).toEqual([["1.2.0", "default"]]);
    });

    const odd = ["1/2", "50%", "50%25", "a b", "é?#"];
    it.each([
      ["2.0.0", "/telling/versions/2.0.0"],
      ["2.0.0", "/telling/versions/%32.0.0"],
      ["2.0.0", "/telling/versions/2%2e0%2E%30?versions/1.0.0"],
      ["2.0.0", "/%74elling/%76ersions/2.0.0"],
      ["1/2", "/telling/versions/1%2f2"],
      ["50%", "/telling/versions/50%25"],
      ["50%25", "/telling/versions/%35%30%2525"],
      ["a b", "/telling/versions/%61%20b"],
      ["é?#", "/telling/versions/%C3%a9%3f%23"],
    ])(
      "shows hooks the version %j and its path, decoded once, however it is spelled: %s",
      async (version, path) => {
        const seen: unknown[] = [];
        const { post, counted, mounted } = await start({
          decisions: [...decisions, ...odd.map((one) => telling(one))],
          versions: { telling: policy },
          hooks: {
            beforeEvaluate: ({ decisionVersion, request }) => {
              seen.push(request?.path);
              if (decisionVersion === version)
                throw Object.assign(new Error("internal"), { statusCode: 403 });
            },
          },
        });
        const reply = await post(path, {}, {});
        // Some routers decode parameters only, and then there is no such path.
        const isRouted = reply.status !== 404 || !path.startsWith("/%74");
        const shown = version.replace("%25", "%2525").replace(/%$/, "%25").replace("/", "%2F");
        expect({ status: reply.status, counted: counted(), seen }).toEqual(
          isRouted
            ? { status: 403, counted: ["REFUSED"], seen: [`${mounted.prefix}/telling/versions/${shown}`] }
            : { status: 404, counted: [], seen: [] },
        );
      },
    );

    it.each([
      ["throws", () => JSON.parse("secret")],
      ["returns a version that is not served", () => "3.0.0"],
      ["returns a retired version", () => "0.9.0"],
      ["returns a number", () => JSON.parse("2")],
    ])("makes it the host's fault when select %s", async (_what, select: () => string) => {
      const { ask, counted, errors } = await start({
        decisions,
        versions: { telling: { ...policy, select } },
      });
      const reply = await ask();
      expect({ status: reply.status, counted: counted(), errorCount: errors.length }).toEqual({
        status: 500,
        counted: ["ERROR"],
        errorCount: 1,
      });
    });

    it.each([
      "3.0.0",
      "1.0",
      "1.0.0 ",
      "__proto__",
      "constructor",
      "toString",
      "../1.0.0",
      "1.0.0/x",
      "%",
      "é",
    ])("replies VERSION_NOT_FOUND with 404 for the version %j; nothing is evaluated", async (version) => {
      const { post, counted, errors } = await start({ decisions, versions: { telling: policy } });
      const path = `/telling/versions/${encodeURIComponent(version)}`;
      const reply = await post(path, { "x-request-id": "mine" }, {});
      expect({ status: reply.status, json: reply.json }).toEqual({
        status: 404,
        json: { error: expect.stringMatching(/^Version not found/), code: "VERSION_NOT_FOUND" },
      });
      expect({
        requestId: reply.headers["x-request-id"],
        counted: counted(),
        errorCount: errors.length,
      }).toEqual({ requestId: "mine", counted: [], errorCount: 0 });
    });

    it("replies VERSION_RETIRED with 410 for a retired version, also when its decision is still there", async () => {
      const retired = ["0.9.0", "1.0.0"];
      const { pin, counted } = await start({
        decisions,
        versions: { telling: { default: "1.2.0", retired } },
      });
      for (const version of retired) {
        const reply = await pin(version);
        expect({ status: reply.status, json: reply.json }).toEqual({
          status: 410,
          json: { error: expect.stringMatching(/^Version retired/), code: "VERSION_RETIRED" },
        });
        expect(reply.headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
      }
      expect(counted()).toEqual([]);
    });

    it("announces the end of a deprecated version with each of its replies, and of no other", async () => {
      const { ask, pin } = await start({ decisions, versions: { telling: policy } });
      const announced = (reply: HostReply) =>
        ["deprecation", "sunset", "link"].map((header) => reply.headers[header]);
      const old = [
        "@1769817600",
        "Sun, 31 Jan 2027 00:00:00 GMT",
        '<https://example.com/old>; rel="deprecation"',
      ];
      expect(announced(await pin("1.0.0"))).toEqual(old);
      expect(announced(await pin("1.2.0"))).toEqual(["@1782820800", undefined, undefined]);
      expect(announced(await ask())).toEqual(["@1782820800", undefined, undefined]);
      expect(announced(await pin("2.0.0"))).toEqual([undefined, undefined, undefined]);
      expect(announced(await pin("3.0.0"))).toEqual([undefined, undefined, undefined]);
    });

    it("finds a version of any characters at its path", async () => {
      const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
      const list = [
        ...ascii.flatMap((character) => [`1${character}`, `${character}${character}1`]),
        ...[
          "%31",
          "%2F",
          "%2f",
          "%252F",
          "%",
          "é ü",
          "数",
          "👩‍💻",
          ":version",
          "*",
          "(.*)",
          "a?b=c#d",
          "...",
          "1/./2",
          "/../x",
        ],
      ];
      const versions = [...new Set(list)];
      const { pin } = await start({
        decisions: versions.map((version) => telling(version)),
        versions: { telling: { default: "11" } },
      });
      for (const version of versions) {
        const reply = await pin(version);
        expect({ version, status: reply.status, decisionVersion: reply.json?.meta?.decisionVersion }).toEqual(
          { version, status: 200, decisionVersion: version },
        );
      }
    });

    it("evaluates a shadow after the reply, and never for a call that names its version", async () => {
      const { ask, pin, shadows, counted } = await start({
        decisions,
        versions: { telling: policy },
        profiles: { "telling@2.0.0": { tone: "new" } },
        shadow: { telling: { version: "2.0.0" } },
      });
      expect(versionOf(await pin("1.0.0"))).toBe("1.0.0");
      expect(versionOf(await ask())).toBe("1.2.0");
      await expect.poll(() => shadows.length).toBe(1);
      expect({ outcome: shadows[0]?.outcome, version: shadows[0]?.shadow.version }).toEqual({
        outcome: "different",
        version: "2.0.0",
      });
      expect(counted()).toEqual(["OK", "OK"]);
    });

    it("refuses to start with every problem at once", async () => {
      await expect(
        start({
          decisions,
          profiles: { nobody: {} },
          versions: { telling: { default: "9", retired: [], deprecated: { "1.0.0": { since: "soon" } } } },
          shadow: { telling: { version: "9" } },
        }),
      ).rejects.toMatchObject({
        code: "INVALID_OPTIONS",
        problems: expect.arrayContaining(
          [
            "/versions/telling/default",
            "/versions/telling/deprecated/1.0.0/since",
            "/shadow/telling/version",
            "/profiles/nobody",
          ].map((path) => expect.objectContaining({ path })),
        ),
      });
    });
  });
}
