import { Command } from "commander";
import { describe, expect, it } from "vitest";
import { STRATEGY_IDS, strategyOption, withAddress, withConfig, withStore } from "./shared-options.ts";

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
