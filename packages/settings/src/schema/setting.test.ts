import { STRATEGIES } from "@longhaul/condense";
import { describe, expect, it } from "vitest";
import { configSchema } from "./config.ts";
import { findSetting, listSettingGroups, listSettings, settingAround } from "./setting.ts";

const paths = listSettings().map(({ path }) => path);

describe("the settings", () => {
  it("and sections have a help text each", () => {
    expect(
      listSettings()
        .filter(({ help }) => help === "")
        .map(({ path }) => path),
    ).toEqual([]);
    expect(listSettingGroups().filter(({ help }) => help === "")).toEqual([]);
    expect(listSettingGroups().map(({ name }) => name)).toEqual(Object.keys(configSchema.parse({})));
  });

  it("are those of the schema, each once", () => {
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

  it("have type, default, variable and whether a restart is needed", () => {
    expect(findSetting(["server", "port"])).toEqual({
      path: "server.port",
      group: "server",
      help: "Port to listen on; 0 chooses a free one.",
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
      "alerts.webhook",
      "alerts.webhookSecret",
      "telemetry.otlpHeaders",
    ]);
  });

  it("are stored one by one, lists as a whole, and access to the store never", () => {
    expect(findSetting(["routes", 3, "upstream"])?.storedAs).toBe("routes");
    const unstored = listSettings()
      .filter(({ storedAs }) => storedAs === undefined)
      .map(({ path }) => path);
    expect(unstored).toEqual([
      "version",
      "strategyModules",
      "server.adminToken",
      "server.workers",
      "store.path",
      "store.url",
    ]);
  });

  it.each(STRATEGIES.map(({ id }) => id))("have the schema of %s", (id) => {
    const { schema } = findSetting(["profiles", "any", "context", "strategies", id]) ?? {};
    expect(schema).toMatchObject({ type: "object", properties: expect.anything(), additionalProperties: false });
  });
});

it("settingAround finds the setting that contains a path", () => {
  expect(settingAround(["context", "strategies", "middle-out", "startShare"])?.path).toBe(
    "context.strategies.middle-out",
  );
  expect(settingAround(["context"])).toBeUndefined();
  expect(findSetting(["context", "strategies", "middle-out", "startShare"])).toBeUndefined();
});
