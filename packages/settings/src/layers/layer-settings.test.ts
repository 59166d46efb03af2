import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parsePath } from "../schema/path.ts";
import { layerSettings, parseConfig, readFile, type SettingLayers } from "./layer-settings.ts";

const FILE = {
  upstreams: { up: { kind: "openai", apiKey: "${KEY}" } },
  profiles: { cheap: { upstream: "up", model: "m" } },
  routes: [{ match: "*", upstream: "up" }],
  log: { level: "debug" },
};
const environment = { KEY: "hush" };

function originOf(layers: SettingLayers, path: string): string {
  return layerSettings(layers).origins.of(parsePath(path));
}

describe("layers", () => {
  const layers = [
    { defaults: { "log.level": "trace" } },
    { file: { log: { level: "debug" } } },
    { environment: { LOG_LEVEL: "warn" } },
    { stored: { "log.level": "error" } },
    { flags: { "log.level": "fatal" } },
  ];

  it.each([
    [0, "info", "default"],
    [1, "trace", "default"],
    [2, "debug", "file"],
    [3, "warn", "environment"],
    [4, "error", "stored"],
    [5, "fatal", "flag"],
  ])("the first %d give %s, from %s", (count, level, origin) => {
    const given: SettingLayers = Object.assign({}, ...layers.slice(0, count));
    expect(layerSettings(given).config.log.level).toBe(level);
    expect(originOf(given, "log.level")).toBe(origin);
    expect(layerSettings(given).hasStored).toBe(origin === "stored");
  });

  it("have separate sources within one section", () => {
    const given = {
      file: { ...FILE, context: { strategies: { "middle-out": {}, native: {} } } },
      environment: { ...environment, CONTEXT_PRESERVE_START_PERCENT: "30" },
      stored: { "upstreams.up.maxRetries": 5, "profiles.new.model": "n", 'models."gpt-4.1"': { window: 9_000 } },
    };
    const { config, origins } = layerSettings(given);
    expect(config.upstreams.up).toMatchObject({ kind: "openai", apiKey: "hush", maxRetries: 5 });
    expect(config.profiles).toEqual({ ...FILE.profiles, new: { model: "n" } });
    expect(config.models).toEqual({ "gpt-4.1": { window: 9_000 } });
    const paths = [
      ...["upstreams.up.kind", "upstreams.up.maxRetries", "upstreams.up.timeouts.idleSeconds", "profiles.new.model"],
      ...["context.strategies.middle-out.startShare", "context.strategies.native", "routes.0.match"],
    ];
    expect(paths.map((path) => origins.of(parsePath(path)))).toEqual([
      ...["file", "stored", "default", "stored"],
      ...["environment", "file", "file"],
    ]);
  });

  it("come from the environment without a file", () => {
    expect(originOf({ environment: { OPENAI_API_KEY: "k" } }, "upstreams.openai.apiKey")).toBe("environment");
    expect(layerSettings({}).config.upstreams).toMatchObject({ simulator: { kind: "simulator", saysSimulated: true } });
  });

  it("read their own result as the same settings", () => {
    const { config } = layerSettings({ file: FILE, environment });
    expect(layerSettings({ file: config }).config).toEqual(config);
  });
});

describe("the operator's switches", () => {
  it.each([
    [{ DISABLE_CONTEXT_COMPRESSION: "true" }, "context.mode", "on", "off"],
    [{ COMPACTION_ENABLED: "false" }, "compaction.enabled", true, false],
  ])("%j cannot be overridden", (switches, path, requested, expected) => {
    const given = { file: {}, environment: switches, stored: { [path]: requested }, flags: { [path]: requested } };
    const { config, origins } = layerSettings(given);
    expect([config.context.mode, config.compaction.enabled]).toContain(expected);
    expect(origins.of(parsePath(path))).toBe("environment");
  });
});

describe("an invalid file", () => {
  it("is rejected with every invalid key and variable", () => {
    const given = { file: { ...FILE, log: { level: "loud" } }, environment: { PORT: "http" }, stored: {} };
    expect(() => layerSettings(given)).toThrow(
      /3 errors:\n.*upstreams\.up\.apiKey: the variable KEY is not set.*\n.*server\.port: .*\(set by PORT\)\n.*log\.level/,
    );
  });

  it("is not repaired by stored values", () => {
    expect(() => layerSettings({ file: { log: { level: "loud" } }, stored: { "log.level": "info" } })).toThrow();
  });

  it("is valid if a variable or a flag overrides the invalid value", () => {
    const file = { server: { port: "${NONE}" } };
    expect(layerSettings({ file, environment: { PORT: "80" } }).config.server.port).toBe(80);
    expect(layerSettings({ file, environment: { PORT: "x" }, flags: { "server.port": 81 } }).config.server.port).toBe(
      81,
    );
  });
});

describe("an invalid stored value", () => {
  const leftOut = (stored: SettingLayers["stored"], more: SettingLayers = {}) => {
    const layered = layerSettings({ file: FILE, environment, stored: stored ?? {}, ...more });
    const paths = layered.leftOut.map(({ path }) => path);
    expect(layered.warnings).toHaveLength(paths.length);
    return { ...layered, paths };
  };

  it("is ignored with a warning; the others apply", () => {
    const { config, warnings } = leftOut({ "log.level": "loud", "log.tokens": true });
    expect(config.log).toEqual({ level: "debug", tokens: true });
    expect(warnings).toEqual([expect.stringMatching(/^the stored setting log\.level is ignored: must be one of/)]);
  });

  it("of a strategy leaves the strategy's defaults", () => {
    const stored = { "context.strategy": "sandwich", "context.strategies.sandwich": { preserveTop: -1 } };
    const { config, paths } = leftOut(stored);
    expect([config.context.strategy, config.context.strategies, paths]).toEqual([
      "sandwich",
      {},
      ["context.strategies.sandwich"],
    ]);
  });

  it.each([
    ["an unknown setting", { "log.colour": "red" }],
    ["an invalid path", { "log..level": "info" }],
    ["a section", { log: {} }],
    ["an item of a list", { "routes.7.upstream": "up" }],
    ["a part of a value", { "context.strategies.middle-out.startShare": 0.1 }],
    ["the store's path", { "store.path": "x" }],
    ["a name that does not exist", { "context.summarizer": "nobody" }],
    ["an upstream that lacks a setting", { "upstreams.up.kind": "openai-compatible" }],
    ["a new upstream that lacks a setting", { "upstreams.aws.kind": "bedrock" }],
  ])("may be %s", (_, stored) => {
    const { config, paths } = leftOut(stored);
    expect(paths).toEqual(Object.keys(stored));
    expect(config).toEqual(layerSettings({ file: FILE, environment }).config);
  });

  it("is ignored together with its dependents", () => {
    const stored = { "profiles.p.upstream": "nowhere", "profiles.p.model": "m", "context.summarizer": "p" };
    expect(leftOut(stored).paths).toEqual(["profiles.p.upstream", "context.summarizer"]);
  });

  it("may be found by an additional check", () => {
    const check = ({ models }: { models: object }) => {
      if ("bad" in models) throw layered("models.bad is invalid");
    };
    const stored = { "models.good": {}, "models.bad": {}, "log.tokens": true };
    expect(leftOut(stored, { check })).toMatchObject({
      paths: ["models.bad"],
      config: { models: { good: {} }, log: { tokens: true } },
    });
    expect(() => layerSettings({ file: { models: { bad: {} } }, check })).toThrow("- models.bad is invalid");
  });
});

function layered(message: string): Error {
  try {
    layerSettings({ file: message });
  } catch (error) {
    if (error instanceof Error) return Object.assign(error, { message });
  }
  throw new Error("it was taken");
}

it("a valid file starts whatever is stored", () => {
  const path = fc.constantFrom(
    "log.level",
    "context.threshold",
    "routes",
    "upstreams.up.kind",
    "models.x",
    "context.auto",
  );
  const json = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)));
  fc.assert(
    fc.property(fc.dictionary(path, json), (stored) => {
      const { config, leftOut } = layerSettings({ file: FILE, environment, stored });
      expect(config.upstreams.up?.apiKey).toBe("hush");
      expect(leftOut.every(({ path: name }) => name in stored)).toBe(true);
    }),
    { numRuns: 50 },
  );
});

describe("parseConfig", () => {
  const file = {
    server: { host: "127.0.0.1", port: 4141 },
    upstreams: {
      claude: { kind: "anthropic", apiKey: "${ANTHROPIC_API_KEY}" },
      local: { kind: "openai-compatible", baseUrl: "http://127.0.0.1:8000/v1", window: 32768 },
    },
    routes: [
      { match: "claude-*haiku*", upstream: ["local", "claude"], model: "small" },
      { match: "claude-*", upstream: "claude" },
    ],
  };

  function faultOf(value: unknown, environment: Record<string, string> = {}): string {
    try {
      parseConfig(value, environment);
    } catch (error) {
      return error instanceof Error ? error.message : "";
    }
    return "";
  }

  describe("parseConfig", () => {
    it("reads a file with variables and defaults", () => {
      const config = parseConfig(file, { ANTHROPIC_API_KEY: "sk" });
      expect(config.upstreams.claude).toMatchObject({
        kind: "anthropic",
        apiKey: "sk",
        maxRetries: 2,
        timeouts: { connectSeconds: 10 },
      });
      expect(config.server.bodyLimitMiB).toBe(64);
      expect(config.routes[1]).toEqual({ match: "claude-*", upstream: "claude" });
    });

    it("names every invalid key at once", () => {
      const fault = faultOf({
        server: { port: 70_000, prot: 1 },
        upstreams: {
          "bad name": { kind: "anthropic" },
          x: { kind: "claude" },
          y: { kind: "openai", apiKey: "${NO_KEY}" },
        },
        routes: [{ match: "", upstream: "y" }],
        colour: "red",
      });
      expect(fault).toContain("server.port:");
      expect(fault).toContain("server.prot: unknown setting");
      expect(fault).toContain('upstreams."bad name":');
      expect(fault).toContain("upstreams.x.kind:");
      expect(fault).toContain("upstreams.y.apiKey: the variable NO_KEY is not set");
      expect(fault).toContain("routes.0.match:");
      expect(fault).toContain("colour: unknown setting");
    });

    it("names a route's upstream that does not exist, and those that do", () => {
      expect(
        faultOf({ upstreams: { a: { kind: "openai" } }, routes: [{ match: "*", upstream: ["a", "b"] }] }),
      ).toContain('routes.0.upstream: upstream "b" does not exist (configured: a)');
    });

    it.each(["localhost:8000/v1", "127.0.0.1:8000/v1", "ftp://127.0.0.1/v1", "/v1", ""])(
      "refuses the address %j and says how one begins",
      (baseUrl) => {
        expect(faultOf({ upstreams: { a: { kind: "openai-compatible", baseUrl } } })).toContain(
          "upstreams.a.baseUrl: must be a URL that starts with http:// or https://",
        );
      },
    );

    it("accepts a file that names its schema", () => {
      expect(parseConfig({ $schema: "./longhaul.schema.json", server: { port: 1 } }, {}).server.port).toBe(1);
    });

    it("reads an empty file as all defaults", () => {
      expect(parseConfig(null, {})).toMatchObject({ upstreams: {}, routes: [], server: { port: 4141 } });
    });

    it("reports an unset variable once", () => {
      expect(
        faultOf({ server: { maxRequests: "${MOST}" }, upstreams: { a: { kind: "openai", apiKey: "${KEY}" } } }),
      ).toBe(
        [
          "the configuration has 2 errors:",
          "  - server.maxRequests: the variable MOST is not set; set it or write ${MOST:-default}",
          "  - upstreams.a.apiKey: the variable KEY is not set; set it or write ${KEY:-default}",
        ].join("\n"),
      );
    });

    it("converts variables to numbers and booleans, except for string settings", () => {
      const { server, log, upstreams, profiles, compaction } = parseConfig(
        {
          server: { port: "${PORT}", bodyLimitMiB: "${LIMIT:-0.5}", drainSeconds: "${DRAIN:-1}0", hosts: ["${NAME}"] },
          log: { tokens: "${COUNT:-true}" },
          compaction: { enabled: "${COMPACTS:-0}", onDemand: "${ASKS:-Yes}" },
          profiles: { p: { context: { threshold: "${AT:-70}" } } },
          upstreams: { a: { kind: "openai", apiKey: "${NAME}" } },
        },
        { PORT: "4242", NAME: "12345" },
      );
      expect(server).toMatchObject({ port: 4242, bodyLimitMiB: 0.5, drainSeconds: 10, hosts: ["12345"] });
      expect(compaction).toMatchObject({ enabled: false, onDemand: true });
      expect([log.tokens, upstreams.a?.apiKey, profiles.p?.context?.threshold]).toEqual([true, "12345", 70]);
    });

    it.each([
      [{ server: { port: "${PORT}" } }, { PORT: "http" }, "server.port: must be an integer from 0 to 65535"],
      [{ server: { port: "${PORT}" } }, { PORT: "70000" }, "server.port: must be an integer from 0 to 65535"],
      ["text", {}, "the file must be an object"],
      [{ version: 3 }, {}, "version: must be a version from 1 to 2"],
      [{ server: { port: "4141" } }, {}, "server.port: must be an integer from 0 to 65535"],
    ])("rejects %o with %o", (value, environment, fault) => {
      expect(faultOf(value, environment)).toContain(`the configuration has 1 error:\n  - ${fault}`);
    });
  });
});

describe("readFile", () => {
  it("replaces variables and converts numbers and booleans", () => {
    const file = { server: { port: "${PORT}" }, log: { tokens: "${COUNT:-true}" }, store: { path: "${PORT}" } };
    expect(readFile(file, { PORT: "80" })).toEqual({
      value: { server: { port: 80 }, log: { tokens: true }, store: { path: "80" } },
      missing: [],
      changes: [],
    });
  });

  it("leaves literal values unchanged", () => {
    expect(readFile({ server: { port: "80" } }, {}).value).toEqual({ server: { port: "80" } });
  });

  it("ignores the name of the schema", () => {
    expect(readFile({ $schema: "x", log: {} }, {}).value).toEqual({ log: {} });
    expect(readFile(null, {}).value).toEqual({});
  });

  it("reports upgraded keys and unset variables", () => {
    const file = { context: { config: { startShare: "${SHARE}" } } };
    expect(readFile(file, {})).toMatchObject({
      missing: [{ path: "context.strategies.middle-out.startShare", name: "SHARE" }],
      changes: [expect.stringContaining("context.config")],
    });
  });
});

describe("a base URL in the environment beside a configuration file", () => {
  const file = { upstreams: { claude: { kind: "anthropic" } } };
  const warningsOf = (content: object, environment: Record<string, string>) =>
    layerSettings({ file: content, environment }).warnings;

  it("is named if it has no effect", () => {
    expect(warningsOf(file, { ANTHROPIC_BASE_URL: "http://127.0.0.1:9000" })).toEqual([
      'ANTHROPIC_BASE_URL has no effect, because the configuration file sets the upstreams; set baseUrl there, for example to "${ANTHROPIC_BASE_URL}"',
    ]);
  });

  it("is not named if the file uses it, or if it is the gateway's own URL", () => {
    const own = { upstreams: { claude: { kind: "anthropic", baseUrl: "${ANTHROPIC_BASE_URL}" } } };
    expect(warningsOf(own, { ANTHROPIC_BASE_URL: "http://127.0.0.1:9000" })).toEqual([]);
    expect(warningsOf(file, { ANTHROPIC_BASE_URL: "http://127.0.0.1:4141" })).toEqual([]);
  });
});
