import { describe, expect, it } from "vitest";
import { isContextDisabled, withEnvironment } from "./environment-overrides.ts";
import { parseConfig } from "./parse-config.ts";

describe("withEnvironment", () => {
  it("lays the variables over the file", () => {
    const file = { log: { level: "debug", tokens: true }, context: { strategy: "lossless", waitSeconds: 5 } };
    const environment = {
      LOG_LEVEL: "WARN",
      LONGHAUL_STORE: "/srv/Longhaul.db",
      LONGHAUL_DATABASE_URL: "postgres://longhaul:Secret@db/longhaul",
      CONTEXT_COMPRESSION_STRATEGY: "sliding-window",
      COMPACTION_ENABLED: "false",
      COMPACTION_TRIGGER_TOKENS: "80000",
    };
    const config = parseConfig(withEnvironment(file, environment), {});
    expect(config.log).toEqual({ level: "warn", tokens: true });
    expect(config.store).toEqual({ path: "/srv/Longhaul.db", url: "postgres://longhaul:Secret@db/longhaul" });
    expect(config.context).toMatchObject({ strategy: "sliding-window", waitSeconds: 5 });
    expect(config.compaction).toEqual({ enabled: false, onDemand: true, triggerTokens: 80_000 });
  });

  it("reads the collector from OpenTelemetry's own variables", () => {
    const environment = {
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318",
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20x=,x-team=a%zz",
      OTEL_SERVICE_NAME: "edge",
    };
    expect(parseConfig(withEnvironment({}, environment), {}).telemetry).toMatchObject({
      otlpEndpoint: "http://127.0.0.1:4318",
      otlpHeaders: { authorization: "Bearer x=", "x-team": "a%zz" },
      serviceName: "edge",
    });
    expect(() => parseConfig(withEnvironment({}, { OTEL_EXPORTER_OTLP_HEADERS: "secret" }), {})).toThrow(
      "telemetry.otlpHeaders",
    );
  });

  it("leaves a file alone where no variable is set", () => {
    const file = { context: { strategy: "smart" } };
    expect(withEnvironment(file, { LOG_LEVEL: "", COMPACTION_ENABLED: "true" })).toEqual(file);
    expect(withEnvironment(undefined, {})).toEqual({});
    expect(withEnvironment("text", {})).toBe("text");
  });

  it("uses middle-out where the environment alone sets the gateway up, with a fifth at the start", () => {
    expect(parseConfig(withEnvironment({}, {}), {}).context).toMatchObject({ strategy: "middle-out", config: {} });
  });

  it("gives the start's share to middle-out alone", () => {
    const environment = { CONTEXT_PRESERVE_START_PERCENT: "30" };
    expect(parseConfig(withEnvironment({}, environment), {}).context.config).toEqual({ startShare: 0.3 });
    const other = withEnvironment({ context: { strategy: "native" } }, environment);
    expect(parseConfig(other, {}).context.config).toEqual({});
  });

  it("takes away what the file says to another strategy than the environment's", () => {
    const file = { context: { strategy: "middle-out", config: { startShare: 0.1 } } };
    const config = parseConfig(withEnvironment(file, { CONTEXT_COMPRESSION_STRATEGY: "native" }), {});
    expect(config.context).toMatchObject({ strategy: "native", config: {} });
  });

  it.each([
    [{ CONTEXT_COMPRESSION_STRATEGY: "shrink" }, "context.strategy"],
    [{ CONTEXT_PRESERVE_START_PERCENT: "most" }, "context.config.startShare"],
    [{ COMPACTION_TRIGGER_TOKENS: "49999" }, "compaction.triggerTokens"],
    [{ COMPACTION_TRIGGER_TOKENS: "many" }, "compaction.triggerTokens"],
  ])("lets the schema refuse %j by name", (environment, path) => {
    expect(() => parseConfig(withEnvironment({}, environment), {})).toThrow(path);
  });
});

describe("isContextDisabled", () => {
  it.each([
    ["true", true],
    ["1", true],
    ["TRUE", true],
    ["false", false],
    ["0", false],
    ["", false],
    ["yes", false],
  ])("%s: %s", (text, expected) => {
    expect(isContextDisabled({ DISABLE_CONTEXT_COMPRESSION: text })).toBe(expected);
  });
});
