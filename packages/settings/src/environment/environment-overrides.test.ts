import { describe, expect, it } from "vitest";
import { parseConfig } from "../layers/layer-settings.ts";
import { mergeContext } from "../schema/context-config.ts";
import { environmentEntries, isContextDisabled, switchWarnings, variableOf } from "./environment-overrides.ts";

describe("environmentEntries", () => {
  it("overrides the file with variables", () => {
    const file = { log: { level: "debug", tokens: true }, context: { strategy: "lossless", waitSeconds: 5 } };
    const environment = {
      LOG_LEVEL: "WARN",
      LONGHAUL_STORE: "/srv/Longhaul.db",
      LONGHAUL_DATABASE_URL: "postgres://longhaul:Secret@db/longhaul",
      CONTEXT_COMPRESSION_STRATEGY: "sliding-window",
      COMPACTION_ENABLED: "false",
      COMPACTION_TRIGGER_TOKENS: "80000",
    };
    const config = parseConfig(file, environment);
    expect(config.log).toEqual({ level: "warn", tokens: true });
    expect(config.store).toMatchObject({ path: "/srv/Longhaul.db", url: "postgres://longhaul:Secret@db/longhaul" });
    expect(config.context).toMatchObject({ strategy: "sliding-window", waitSeconds: 5 });
    expect(config.compaction).toEqual({ enabled: false, onDemand: true, triggerTokens: 80_000 });
  });

  it("reads the collector from OpenTelemetry's own variables", () => {
    const environment = {
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318",
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20x=,x-team=a%zz",
      OTEL_SERVICE_NAME: "edge",
    };
    expect(parseConfig({}, environment).telemetry).toMatchObject({
      otlpEndpoint: "http://127.0.0.1:4318",
      otlpHeaders: { authorization: "Bearer x=", "x-team": "a%zz" },
      serviceName: "edge",
    });
    expect(() => parseConfig({}, { OTEL_EXPORTER_OTLP_HEADERS: "secret" })).toThrow("telemetry.otlpHeaders");
  });

  it("is empty if no variable is set, or only empty ones", () => {
    expect(environmentEntries({})).toEqual([]);
    expect(environmentEntries({ LOG_LEVEL: "", PORT: " ", COMPACTION_ENABLED: "true" })).toEqual([]);
  });

  it("marks the operator's switches", () => {
    const environment = { DISABLE_CONTEXT_COMPRESSION: "1", COMPACTION_ENABLED: "0", PORT: "80" };
    expect(environmentEntries(environment)).toEqual([
      { path: "server.port", value: 80, variable: "PORT", isFinal: false },
      { path: "context.mode", value: "off", variable: "DISABLE_CONTEXT_COMPRESSION", isFinal: true },
      { path: "compaction.enabled", value: false, variable: "COMPACTION_ENABLED", isFinal: true },
    ]);
  });

  it("sets the start share of middle-out only, whichever strategy is chosen", () => {
    const environment = { CONTEXT_PRESERVE_START_PERCENT: "30" };
    const { context } = parseConfig({ context: { strategy: "native" } }, environment);
    expect(mergeContext(context).config).toEqual({});
    expect(mergeContext(context, { strategy: "middle-out" }).config).toEqual({ startShare: 0.3 });
  });

  it("keeps the file's settings of other strategies", () => {
    const file = { context: { strategies: { "middle-out": { startShare: 0.1 } } } };
    const { context } = parseConfig(file, { CONTEXT_COMPRESSION_STRATEGY: "native" });
    expect(mergeContext(context)).toMatchObject({ strategy: "native", config: {} });
    expect(context.strategies).toEqual({ "middle-out": { startShare: 0.1 } });
  });

  it.each([
    [{ CONTEXT_COMPRESSION_STRATEGY: "shrink" }, "context.strategy"],
    [{ CONTEXT_PRESERVE_START_PERCENT: "most" }, "context.strategies.middle-out.startShare"],
    [{ COMPACTION_TRIGGER_TOKENS: "49999" }, "compaction.triggerTokens"],
    [{ COMPACTION_TRIGGER_TOKENS: "many" }, /compaction\.triggerTokens: .* \(set by COMPACTION_TRIGGER_TOKENS\)/],
    [{ PORT: "http" }, 'server.port: must be an integer from 0 to 65535, not "http" (set by PORT)'],
  ])("lets the schema reject %j", (environment, path) => {
    expect(() => parseConfig({}, environment)).toThrow(path);
  });
});

it("variableOf returns the variable of a setting or of a part of it", () => {
  expect(variableOf("log.level")).toBe("LOG_LEVEL");
  expect(variableOf("context.strategies.middle-out")).toBe("CONTEXT_PRESERVE_START_PERCENT");
  expect(variableOf("log.tokens")).toBeUndefined();
});

describe("isContextDisabled", () => {
  it.each([
    ["true", true],
    ["1", true],
    ["TRUE", true],
    ["false", false],
    ["0", false],
    ["", false],
    ["Yes", true],
    ["on", true],
    ["off", false],
    ["maybe", false],
  ])("returns for %s: %s", (text, expected) => {
    expect(isContextDisabled({ DISABLE_CONTEXT_COMPRESSION: text })).toBe(expected);
  });
});

describe("switchWarnings", () => {
  it("names each switch whose value is neither true nor false", () => {
    const environment = { DISABLE_CONTEXT_COMPRESSION: " ja ", COMPACTION_ENABLED: "nope", PORT: "http" };
    expect(switchWarnings(environment)).toEqual([
      'DISABLE_CONTEXT_COMPRESSION is "ja" and has no effect; use true, yes, on or 1, or false, no, off or 0',
      'COMPACTION_ENABLED is "nope" and has no effect; use true, yes, on or 1, or false, no, off or 0',
    ]);
  });

  it.each(["true", "YES", "on", "1", "false", "no", "Off", "0", ""])("accepts %j", (text) => {
    expect(switchWarnings({ DISABLE_CONTEXT_COMPRESSION: text, COMPACTION_ENABLED: text })).toEqual([]);
  });

  it("reads every switch the same way", () => {
    const texts = ["yes", "On", "1", "true", "no", "OFF", "0", "false"];
    const read = (name: string) => texts.map((text) => environmentEntries({ [name]: text })[0]?.value);
    expect(read("DISABLE_CONTEXT_COMPRESSION")).toEqual([...Array(4).fill("off"), ...Array(4)]);
    expect(read("COMPACTION_ENABLED")).toEqual([...Array(4), ...Array(4).fill(false)]);
    expect(read("REASONING_EXCLUDE")).toEqual([...Array(4).fill(true), ...Array(4).fill(false)]);
  });
});
