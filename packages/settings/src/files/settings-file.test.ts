import { describe, expect, it } from "vitest";
import { layerSettings } from "../layers/layer-settings.ts";
import { VERSION_1, VERSION_1_TODAY } from "../testing/version-1.ts";
import { readSettings, writeSettings } from "./settings-file.ts";

const layered = layerSettings({
  file: {
    upstreams: {
      "a.b": { kind: "openai", apiKey: "hush", baseUrl: "https://me:hush@host/v1", headers: { x: "hush" } },
    },
    profiles: { cheap: { upstream: "a.b", model: "m", context: { threshold: -1 } } },
    routes: [{ match: "*", upstream: "a.b", profile: "cheap" }],
    models: { "gpt-4.1": { window: 9_000 } },
    store: { path: "x.db" },
  },
  environment: { LOG_LEVEL: "warn" },
  stored: { "context.strategies.sandwich": { preserveTop: 3 } },
  flags: { "server.port": 1 },
});
const text = writeSettings(layered);
const nothing = layerSettings({ file: {} });

describe("settings files", () => {
  it("contain non-default settings, and only the names of secrets", () => {
    expect(JSON.parse(text)).toEqual({
      longhaul: "settings",
      version: 2,
      settings: {
        upstreams: { "a.b": { kind: "openai", baseUrl: "https://host/v1" } },
        profiles: { cheap: { upstream: "a.b", model: "m", context: { threshold: -1 } } },
        routes: [{ match: "*", upstream: "a.b", profile: "cheap" }],
        models: { "gpt-4.1": { window: 9_000 } },
        log: { level: "warn" },
        context: { strategies: { sandwich: { preserveTop: 3 } } },
      },
      secrets: ['upstreams."a.b".baseUrl', 'upstreams."a.b".apiKey', 'upstreams."a.b".headers'],
    });
    expect(text).not.toContain("hush");
  });

  it("are imported elsewhere, with the names of missing secrets", () => {
    const { entries, missing, leftOut } = readSettings(text, nothing.config);
    const stored = Object.fromEntries(entries.map(({ path, value = null }) => [path, value]));
    const there = layerSettings({ file: {}, stored });
    expect([there.leftOut, leftOut]).toEqual([[], []]);
    const { server: _, store: _store, ...expected } = layered.config;
    const { upstreams, ...same } = expected;
    expect(there.config).toMatchObject(same);
    expect(there.config.upstreams["a.b"]).toMatchObject({ kind: upstreams["a.b"]?.kind, baseUrl: "https://host/v1" });
    expect(missing).toEqual(['upstreams."a.b".baseUrl', 'upstreams."a.b".apiKey', 'upstreams."a.b".headers']);
    expect(readSettings(text, layered.config).missing).toEqual([]);
  });

  it("may have an earlier version", () => {
    const { upstreams, routes, profiles, context } = VERSION_1;
    const old = { longhaul: "settings", version: 1, settings: { upstreams, routes, profiles, context } };
    const { entries, leftOut } = readSettings(JSON.stringify(old), nothing.config);
    expect(leftOut).toEqual([]);
    expect(entries).toContainEqual({ path: "routes", value: VERSION_1_TODAY.routes });
    expect(entries).toContainEqual({ path: "context.strategies.sandwich", value: { preserveTop: 2 } });
  });

  it("list values that cannot be imported", () => {
    const file = {
      longhaul: "settings",
      version: 2,
      settings: { store: { path: "x" }, odd: 1, log: { tokens: true } },
    };
    expect(readSettings(JSON.stringify(file), nothing.config)).toMatchObject({
      entries: [{ path: "log.tokens", value: true }],
      leftOut: [{ path: "store.path" }, { path: "odd", why: "unknown setting" }],
    });
  });

  it.each([
    ["invalid JSON", "{", "not valid JSON"],
    ["a later version", '{"longhaul":"settings","version":3,"settings":{}}', "must be a version from 1 to 2"],
    ["a preset", '{"longhaul":"preset","version":1}', "longhaul: "],
  ])("are rejected with %s", (_, file, fault) => {
    expect(() => readSettings(file, nothing.config)).toThrow(fault);
  });
});
