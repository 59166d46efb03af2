import { Command } from "commander";
import { describe, expect, it } from "vitest";
import {
  argumentCount,
  argumentPort,
  argumentTokens,
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
