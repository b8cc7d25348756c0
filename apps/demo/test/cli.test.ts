import { describe, expect, it } from "vitest";
import { readSettings } from "../src/cli/read-settings.js";
import { UsageError } from "../src/cli/usage-error.js";

const defaults = {
  port: 3000,
  host: "localhost",
  profilesFile: undefined,
  metrics: true,
  openapi: true,
  cors: true,
  profileOverride: true,
  maxDelayMs: undefined,
  apiKeys: [],
};

describe("readSettings", () => {
  it("has everything on where nothing is said, or said with nothing in it", () => {
    expect(readSettings([], {})).toEqual(defaults);
    const blank = { PORT: "", HOST: " ", DECERN_PROFILES: "", DECERN_METRICS: "", DECERN_API_KEYS: " , " };
    expect(readSettings([], blank)).toEqual(defaults);
  });

  it("takes flags", () => {
    const args = ["--port", "8080", "--host=0.0.0.0", "--profiles", "p.json", "--no-metrics", "--no-openapi"];
    expect(readSettings([...args, "--no-cors", "--no-profile-override", "--max-delay=250"], {})).toEqual({
      port: 8080,
      host: "0.0.0.0",
      profilesFile: "p.json",
      metrics: false,
      openapi: false,
      cors: false,
      profileOverride: false,
      maxDelayMs: 250,
      apiKeys: [],
    });
  });

  it("takes the environment", () => {
    const environment = {
      PORT: "0",
      HOST: "::1",
      DECERN_PROFILES: "/etc/profiles.json",
      DECERN_METRICS: "off",
      DECERN_OPENAPI: "FALSE",
      DECERN_CORS: "0",
      DECERN_PROFILE_OVERRIDE: "no",
      DECERN_MAX_DELAY: "1000",
      DECERN_API_KEYS: "old, new,",
    };
    expect(readSettings([], environment)).toEqual({
      port: 0,
      host: "::1",
      profilesFile: "/etc/profiles.json",
      metrics: false,
      openapi: false,
      cors: false,
      profileOverride: false,
      maxDelayMs: 1_000,
      apiKeys: ["old", "new"],
    });
  });

  it("lets a flag go before its variable, even a wrong one", () => {
    const environment = { PORT: "many", HOST: "a", DECERN_METRICS: "maybe", DECERN_OPENAPI: "off" };
    const settings = readSettings(["--port=1", "--host=b", "--metrics", "--openapi"], environment);
    expect(settings).toMatchObject({ port: 1, host: "b", metrics: true, openapi: true });
  });

  it.each([["--help"], ["-h"], ["--port", "many", "--help"]])("asks for help: %s %s %s", (...args) => {
    expect(readSettings(args, {})).toBe("help");
  });

  it.each([
    [["--port", "65536"], {}, '--port has to be a number from 0 to 65535, and is "65536"'],
    [["--port", "3e3"], {}, '--port has to be a number from 0 to 65535, and is "3e3"'],
    [["--port="], {}, '--port has to be a number from 0 to 65535, and is ""'],
    [[], { PORT: "-1" }, 'PORT has to be a number from 0 to 65535, and is "-1"'],
    [["--max-delay=0"], {}, '--max-delay has to be a number from 1 to 60000, and is "0"'],
    [["--host="], {}, "--host is empty"],
    [["--profiles", " "], {}, "--profiles is empty"],
    [[], { DECERN_CORS: "perhaps" }, 'DECERN_CORS has to be on or off, and is "perhaps"'],
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
