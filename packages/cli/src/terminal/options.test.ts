import { Command } from "commander";
import { describe, expect, it } from "vitest";
import {
  argumentCount,
  argumentLimit,
  argumentPort,
  argumentTokens,
  limitsAfter,
  STRATEGY_IDS,
  strategyOption,
  withAddress,
  withConfig,
  withStore,
} from "./options.ts";

const parse = (command: Command, ...args: string[]) => command.exitOverride().parse(args, { from: "user" }).opts();
const quiet = () => new Command("test").configureOutput({ writeErr: () => {} });

it.each([withStore, withConfig])("%o takes a configuration and a store", (add) => {
  expect(parse(add(quiet()), "--config", "a.yaml", "--store", "b.db")).toEqual({ config: "a.yaml", store: "b.db" });
});

it("takes an address whose port is a number", () => {
  expect(parse(withAddress(quiet()), "--host", "::1", "--port", "80")).toEqual({ host: "::1", port: 80 });
  expect(() => parse(withAddress(quiet()), "--port", "http")).toThrow("is not a port");
});

describe("strategyOption", () => {
  it("takes every strategy there is, and no other", () => {
    for (const id of STRATEGY_IDS) {
      expect(parse(quiet().addOption(strategyOption("how")), "--strategy", id)).toEqual({ strategy: id });
    }
    expect(() => parse(quiet().addOption(strategyOption("how")), "--strategy", "magic")).toThrow("Allowed choices are");
  });
});

describe("ports", () => {
  it.each([
    ["0", 0],
    ["4141", 4141],
    ["65535", 65_535],
  ])("takes %s", (text, port) => {
    expect(argumentPort(text)).toBe(port);
  });

  it.each(["-1", "65536", "1e3", "http", " 1"])("refuses %j", (text) => {
    expect(() => argumentPort(text)).toThrow("give a whole number from 0 to 65535");
  });
});

describe("argumentCount", () => {
  it("reads a whole number", () => {
    expect([argumentCount(1)("40"), argumentCount(0)("0")]).toEqual([40, 0]);
  });

  it.each(["", "0", "-5", "ten", "1.5", "99999999999999999999"])("refuses %j", (text) => {
    expect(() => argumentCount(1)(text)).toThrow("give a whole number from 1 on");
  });
});

describe("argumentTokens", () => {
  it.each([
    ["50000", 50_000],
    ["50k", 50_000],
    ["1.5M", 1_500_000],
  ])("reads %s", (text, tokens) => {
    expect(argumentTokens(text)).toBe(tokens);
  });

  it.each(["", "0", "-5", "ten", "1.5", "5g"])("refuses %j and says what to give", (text) => {
    expect(() => argumentTokens(text)).toThrow("give one such as 50000, 50k or 1m");
  });
});

describe("argumentLimit", () => {
  it.each([
    ["60", 60],
    ["2.5", 2.5],
    ["0", 0],
    ["none", "none"],
  ])("reads %s", (text, limit) => {
    expect(argumentLimit(text)).toBe(limit);
  });

  it.each(["", " ", "many", "-1", "Infinity"])("refuses %j", (text) => {
    expect(() => argumentLimit(text)).toThrow("give a number, or none");
  });
});

describe("limitsAfter", () => {
  it("sets what is named, lifts what is none, and leaves the rest", () => {
    const before = { requestsPerMinute: 60, concurrent: 4, usdPerDay: 1 };
    expect(limitsAfter({ requestsPerMinute: 30, usdPerDay: "none", usdPerMonth: 0 }, before)).toEqual({
      requestsPerMinute: 30,
      concurrent: 4,
      usdPerMonth: 0,
    });
    expect(limitsAfter({}, before)).toEqual(before);
  });
});
