import { describe, expect, it } from "vitest";
import { layerSettings } from "../layers/layer-settings.ts";
import { VERSION_1, VERSION_1_TODAY } from "../testing/version-1.ts";
import { mergeContext } from "./context-config.ts";
import { migrateConfig } from "./migrate-config.ts";

describe("a file of version 1", () => {
  it.each([
    ["that says so", { version: 1, ...VERSION_1 }],
    ["that names no version", VERSION_1],
  ])("%s is upgraded, and every changed key is reported", (_, file) => {
    expect(migrateConfig(file)).toEqual({
      value: VERSION_1_TODAY,
      changes: [
        "context.config was read as context.strategies.sandwich",
        "profiles.own.context.config was read as profiles.own.context.strategies.native",
        "profiles.inheriting.context.config was read as profiles.inheriting.context.strategies.sandwich",
        "routes.0.context.config was read as routes.0.context.strategies.native",
        "routes.1.context.config was read as routes.1.context.strategies.smart",
      ],
    });
  });

  it("keeps its meaning", () => {
    const { config, warnings } = layerSettings({ file: VERSION_1 });
    const { context, profiles, routes } = config;
    const configs = routes.map(({ profile, context: own }) => {
      return mergeContext(context, profiles[profile ?? ""]?.context, own).config;
    });
    expect(configs).toEqual([{ maxSummaryTokens: 800 }, { passes: [] }, { preserveTop: 2 }]);
    expect(warnings[0]).toBe(
      "the configuration file has version 1: context.config was read as context.strategies.sandwich",
    );
    expect([config.version, warnings.length]).toEqual([2, 5]);
  });

  it("assigns settings without a strategy to the default one", () => {
    expect(migrateConfig({ context: { config: { startShare: 0.1 } } }).value).toEqual({
      context: { strategies: { "middle-out": { startShare: 0.1 } } },
    });
  });
});

it.each([[{ version: 2, context: { config: {} } }], [{ version: 9 }], ["text"], [null], [{ context: [], routes: 1 }]])(
  "%j stays as it is",
  (file) => {
    expect(migrateConfig(file)).toEqual({ value: file, changes: [] });
  },
);

it("the current version rejects earlier keys", () => {
  expect(() => layerSettings({ file: { version: 2, context: { config: {} } } })).toThrow(
    "context.config: unknown setting",
  );
});
