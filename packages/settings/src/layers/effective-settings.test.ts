import { expect, it } from "vitest";
import { effectiveSettings } from "./effective-settings.ts";
import { layerSettings } from "./layer-settings.ts";

const layered = layerSettings({
  file: {
    upstreams: { "a.b": { kind: "openai", apiKey: "hush", baseUrl: "https://me:hush@host/v1?token=hush" } },
    routes: [{ match: "*", upstream: "a.b" }],
  },
  environment: { LOG_LEVEL: "warn", CONTEXT_PRESERVE_START_PERCENT: "30" },
  stored: { "context.threshold": 70 },
});
const effective = effectiveSettings(layered);
const at = (path: string) => effective.find((each) => each.path === path);

it("returns value and source of every setting", () => {
  expect(at("log.level")).toMatchObject({ value: "warn", origin: "environment", setting: { variable: "LOG_LEVEL" } });
  expect(at("context.threshold")).toMatchObject({ value: 70, origin: "stored" });
  expect(at("context.strategies.middle-out")).toMatchObject({ value: { startShare: 0.3 }, origin: "environment" });
  expect(at("server.port")).toMatchObject({ value: 4141, origin: "default", isSet: true });
  expect(at('upstreams."a.b".kind')).toMatchObject({ value: "openai", origin: "file" });
  expect(at("routes")).toMatchObject({ value: [{ match: "*", upstream: "a.b" }], origin: "file" });
});

it("includes settings without a value, but no unused names", () => {
  expect(at("context.prompt")).toMatchObject({ isSet: false, origin: "default" });
  expect(at("context.prompt")).not.toHaveProperty("value");
  expect(effective.some(({ path }) => path.includes("*"))).toBe(false);
});

it("shows no secret", () => {
  expect(at('upstreams."a.b".apiKey')).toMatchObject({ isSet: true });
  expect(at('upstreams."a.b".baseUrl')).toMatchObject({ value: "https://host/v1" });
  expect(JSON.stringify(effective)).not.toContain("hush");
  expect(at('upstreams."a.b".headers')).toMatchObject({ isSet: false });
});

it("keeps the order of the configuration", () => {
  const groups = effective.map(({ setting }) => setting.group);
  expect(groups.filter((group, index) => group !== groups[index - 1])).toEqual([...new Set(groups)]);
});
