import { Command } from "commander";
import { expect, it } from "vitest";
import { makeTerminal } from "../testing/terminal.ts";
import { addKeyCommands } from "./keys.ts";

it("makes, lists, changes and revokes keys, all of them for people and for programs", () => {
  const keys = new Command("keys");
  addKeyCommands(keys, makeTerminal("/nowhere"));
  expect(keys.commands.map((command) => command.name())).toEqual(["create", "list", "change", "revoke"]);
  for (const command of keys.commands) {
    expect(command.options.map(({ long }) => long)).toEqual(expect.arrayContaining(["--json", "--config", "--store"]));
  }
});
