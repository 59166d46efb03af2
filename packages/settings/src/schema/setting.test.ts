import { STRATEGIES } from "@longhaul/condense";
import { describe, expect, it } from "vitest";
import { configSchema } from "./config.ts";
import { findSetting, listSettingGroups, listSettings, settingAround } from "./setting.ts";

const paths = listSettings().map(({ path }) => path);

describe("the settings", () => {
  it("have a help text each, and so has every section", () => {
    expect(
      listSettings()
        .filter(({ help }) => help === "")
        .map(({ path }) => path),
    ).toEqual([]);
    expect(listSettingGroups().filter(({ help }) => help === "")).toEqual([]);
    expect(listSettingGroups().map(({ name }) => name)).toEqual(Object.keys(configSchema.parse({})));
  });

  it("are as many as the schema has, each once", () => {
    expect(paths.length).toBeGreaterThan(100);
    expect(new Set(paths).size).toBe(paths.length);
    expect(paths).toEqual(
      expect.arrayContaining([
        "server.port",
        "upstreams.*.timeouts.idleSeconds",
        "profiles.*.context.threshold",
        "routes",
        "routes.*.context.strategies.smart",
        "models.*",
      ]),
    );
  });

  it("tell type, default, variable and whether a restart is needed", () => {
    expect(findSetting(["server", "port"])).toEqual({
      path: "server.port",
      group: "server",
      help: "Port to listen on; 0 takes any free one.",
      schema: { type: "integer", minimum: 0, maximum: 65_535 },
      default: 4141,
      isSecret: false,
      needsRestart: true,
      storedAs: "server.port",
      variable: "PORT",
    });
  });

  it("keep credentials secret", () => {
    expect(
      listSettings()
        .filter(({ isSecret }) => isSecret)
        .map(({ path }) => path),
    ).toEqual([
      "server.adminToken",
      "upstreams.*.apiKey",
      "upstreams.*.accessKeyId",
      "upstreams.*.secretAccessKey",
      "upstreams.*.sessionToken",
      "upstreams.*.headers",
      "store.url",
      "telemetry.otlpHeaders",
    ]);
  });

  it("are stored one by one, but lists as a whole, and not where the store is or who may open it", () => {
    expect(findSetting(["routes", 3, "upstream"])?.storedAs).toBe("routes");
    const unstored = listSettings()
      .filter(({ storedAs }) => storedAs === undefined)
      .map(({ path }) => path);
    expect(unstored).toEqual(["version", "server.adminToken", "server.workers", "store.path", "store.url"]);
  });

  it.each(STRATEGIES.map(({ id }) => id))("know what %s may be told", (id) => {
    const { schema } = findSetting(["profiles", "any", "context", "strategies", id]) ?? {};
    expect(schema).toMatchObject({ type: "object", properties: expect.anything(), additionalProperties: false });
  });
});

it("settingAround finds the setting whose value has parts", () => {
  expect(settingAround(["context", "strategies", "middle-out", "startShare"])?.path).toBe(
    "context.strategies.middle-out",
  );
  expect(settingAround(["context"])).toBeUndefined();
  expect(findSetting(["context", "strategies", "middle-out", "startShare"])).toBeUndefined();
});
