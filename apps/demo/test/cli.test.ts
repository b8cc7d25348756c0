import { describe, expect, it } from "vitest";
import { readSettings, UsageError } from "../src/settings.js";
import { settings } from "./support/settings.js";

const defaults = { ...settings, port: 3000, host: "localhost" };

describe("readSettings", () => {
  it("has everything on by default, and with empty variables", () => {
    expect(readSettings([], {})).toEqual(defaults);
    const blank = {
      PORT: "",
      HOST: " ",
      DECERN_PROFILES: "",
      DECERN_METRICS: "",
      DECERN_API_KEYS: " , ",
      DECERN_CALLERS: ",",
    };
    expect(readSettings([], blank)).toEqual(defaults);
  });

  it("reads flags", () => {
    const args = ["--port", "8080", "--host=0.0.0.0", "--profiles", "p.json", "--no-metrics", "--no-openapi"];
    const more = ["--reload=250", "--roll-out=0", "--no-cors", "--no-profile-override", "--max-delay=250"];
    expect(readSettings([...args, ...more, "--records=records", "--max-connection-age=100"], {})).toEqual({
      port: 8080,
      host: "0.0.0.0",
      profilesFile: "p.json",
      reloadMs: 250,
      rollOutPercent: 0,
      recordsFolder: "records",
      subjectKey: undefined,
      metrics: false,
      openapi: false,
      cors: false,
      profileOverride: false,
      maxDelayMs: 250,
      maxConnectionAgeMs: 100,
      apiKeys: undefined,
    });
  });

  it("reads the environment", () => {
    const environment = {
      PORT: "0",
      HOST: "::1",
      DECERN_PROFILES: "/etc/profiles.json",
      DECERN_RELOAD: "60000",
      DECERN_ROLL_OUT: "100",
      DECERN_RECORDS: "/var/records",
      DECERN_SUBJECT_KEY: "a-subject-key",
      DECERN_METRICS: "off",
      DECERN_OPENAPI: "FALSE",
      DECERN_CORS: "0",
      DECERN_PROFILE_OVERRIDE: "no",
      DECERN_MAX_DELAY: "1000",
      DECERN_MAX_CONNECTION_AGE: "3600000",
      DECERN_API_KEYS: "old, new,",
    };
    expect(readSettings([], environment)).toEqual({
      port: 0,
      host: "::1",
      profilesFile: "/etc/profiles.json",
      reloadMs: 60_000,
      rollOutPercent: 100,
      recordsFolder: "/var/records",
      subjectKey: "a-subject-key",
      metrics: false,
      openapi: false,
      cors: false,
      profileOverride: false,
      maxDelayMs: 1_000,
      maxConnectionAgeMs: 3_600_000,
      apiKeys: ["old", "new"],
    });
  });

  it("reads the names of callers, with one key or several", () => {
    const environment = { DECERN_CALLERS: "shop=a-key, branch = b-key==,shop=old=key," };
    expect(readSettings([], environment)).toMatchObject({
      apiKeys: { shop: ["a-key", "old=key"], branch: ["b-key=="] },
    });
  });

  it.each(["shop", "=a-key", "shop=", "shop=a-key,b-key"])(
    "refuses the callers %j without repeating a key",
    (DECERN_CALLERS) => {
      const read = (): unknown => readSettings([], { DECERN_CALLERS });
      expect(read).toThrow(/^DECERN_CALLERS must be a list like name=key,name=key; entry [12] is not$/);
    },
  );

  it("prefers a flag to its variable, even an invalid one", () => {
    const environment = { PORT: "many", HOST: "a", DECERN_METRICS: "maybe", DECERN_OPENAPI: "off" };
    const settings = readSettings(["--port=1", "--host=b", "--metrics", "--openapi"], environment);
    expect(settings).toMatchObject({ port: 1, host: "b", metrics: true, openapi: true });
  });

  it.each([["--help"], ["-h"], ["--port", "many", "--help"]])("returns help: %s %s %s", (...args) => {
    expect(readSettings(args, {})).toBe("help");
  });

  it.each([
    [["--port", "65536"], {}, '--port must be a number from 0 to 65535, not "65536"'],
    [["--port", "3e3"], {}, '--port must be a number from 0 to 65535, not "3e3"'],
    [["--port="], {}, '--port must be a number from 0 to 65535, not ""'],
    [[], { PORT: "-1" }, 'PORT must be a number from 0 to 65535, not "-1"'],
    [["--max-delay=0"], {}, '--max-delay must be a number from 1 to 60000, not "0"'],
    [["--max-connection-age=99"], {}, '--max-connection-age must be a number from 100 to 86400000, not "99"'],
    [["--reload=99"], {}, '--reload must be a number from 100 to 99999, not "99"'],
    [["--roll-out=101"], {}, '--roll-out must be a number from 0 to 100, not "101"'],
    [[], { DECERN_ROLL_OUT: "10%" }, 'DECERN_ROLL_OUT must be a number from 0 to 100, not "10%"'],
    [
      [],
      { DECERN_API_KEYS: "a", DECERN_CALLERS: "b=c" },
      "DECERN_API_KEYS and DECERN_CALLERS contradict each other: set one of them",
    ],
    [["--host="], {}, "--host must not be empty"],
    [["--profiles", " "], {}, "--profiles must not be empty"],
    [["--records="], {}, "--records must not be empty"],
    [[], { DECERN_CORS: "perhaps" }, 'DECERN_CORS must be on or off, not "perhaps"'],
  ])("refuses %j with %j", (args, environment, message) => {
    expect(() => readSettings(args, environment)).toThrow(new UsageError(message));
  });

  it.each([
    [["--prot", "1"], "--prot"],
    [["3000"], "3000"],
    [["--metrics=yes"], "--metrics"],
    [["--port"], "--port"],
  ])("refuses %j and names it", (args, name) => {
    expect(() => readSettings(args, {})).toThrow(UsageError);
    expect(() => readSettings(args, {})).toThrow(name);
  });
});
