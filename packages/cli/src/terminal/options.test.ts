import { STRATEGIES } from "@longhaul/condense";
import { configSchema } from "@longhaul/settings";
import { Command } from "commander";
import { describe, expect, it } from "vitest";
import {
  argumentCount,
  argumentLimit,
  argumentPort,
  argumentTokens,
  DEFAULT_STRATEGY,
  STRATEGY_IDS,
  strategyOption,
  withAddress,
  withConfig,
} from "./options.ts";

const parse = (command: Command, ...args: string[]) => command.exitOverride().parse(args, { from: "user" }).opts();
const quiet = () => new Command("test").configureOutput({ writeErr: () => {} });

it("withConfig takes a configuration and a store", () => {
  expect(parse(withConfig(quiet()), "--config", "a.yaml", "--store", "b.db")).toEqual({
    config: "a.yaml",
    store: "b.db",
  });
});

it("withAddress takes a host and a port", () => {
  expect(parse(withAddress(quiet()), "--host", "::1", "--port", "80")).toEqual({ host: "::1", port: 80 });
  expect(() => parse(withAddress(quiet()), "--port", "http")).toThrow("Expected a port number");
});

it("names the gateway's default strategy", () => {
  expect(configSchema.parse({}).context.strategy).toBe(DEFAULT_STRATEGY);
});

describe("strategyOption", () => {
  it("offers every strategy of the registry", () => {
    expect(STRATEGY_IDS).toEqual(STRATEGIES.map(({ id }) => id));
  });

  it("accepts only the ID of a strategy", () => {
    for (const id of STRATEGY_IDS) {
      expect(parse(quiet().addOption(strategyOption("how")), "--strategy", id)).toEqual({ strategy: id });
    }
    expect(() => parse(quiet().addOption(strategyOption("how")), "--strategy", "magic")).toThrow("Allowed choices are");
  });
});

describe("argumentPort", () => {
  it.each([
    ["0", 0],
    ["4141", 4141],
    ["65535", 65_535],
  ])("parses %s", (text, port) => {
    expect(argumentPort(text)).toBe(port);
  });

  it.each(["-1", "65536", "1e3", "http", " 1"])("rejects %j", (text) => {
    expect(() => argumentPort(text)).toThrow("Expected a port number from 0 to 65535.");
  });
});

describe("argumentCount", () => {
  it("parses a whole number", () => {
    expect([argumentCount(1)("40"), argumentCount(0)("0")]).toEqual([40, 0]);
  });

  it.each(["", "0", "-5", "ten", "1.5", "99999999999999999999"])("rejects %j", (text) => {
    expect(() => argumentCount(1)(text)).toThrow("Expected a whole number, 1 or more.");
  });
});

describe("argumentTokens", () => {
  it.each([
    ["50000", 50_000],
    ["50k", 50_000],
    ["1.5M", 1_500_000],
  ])("parses %s", (text, tokens) => {
    expect(argumentTokens(text)).toBe(tokens);
  });

  it.each(["", "0", "-5", "ten", "1.5", "5g"])("rejects %j", (text) => {
    expect(() => argumentTokens(text)).toThrow("Expected a number of tokens, for example 50000, 50k or 1m.");
  });
});

describe("argumentLimit", () => {
  it.each([
    ["60", 60],
    ["2.5", 2.5],
    ["0", 0],
    ["none", "none"],
  ])("parses %s", (text, limit) => {
    expect(argumentLimit(text)).toBe(limit);
  });

  it.each(["", " ", "many", "-1", "Infinity"])("rejects %j", (text) => {
    expect(() => argumentLimit(text)).toThrow('Expected a number, or "none"');
  });
});
