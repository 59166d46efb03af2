import { tmpdir } from "node:os";
import { run } from "@longhaul/cli";
import { describe, expect, it } from "vitest";
import { makeTerminal } from "../packages/cli/src/testing/terminal.ts";
import { longhaulCommands, tableRows } from "./docs/read-page.ts";
import { readFiles, readText } from "./repository.ts";

async function helpOf(...command: string[]): Promise<string> {
  const terminal = makeTerminal(tmpdir());
  await run([...command, "--help"], terminal);
  return terminal.output();
}

const commandsIn = (help: string) =>
  [...(help.split("Commands:")[1] ?? "").matchAll(/^ {2}([a-z]+)/gm)]
    .map(([, name = ""]) => name)
    .filter((name) => name !== "help");
const flagsIn = (text: string) =>
  [...new Set(text.match(/(?<![\w-])--[a-z][a-z-]*/g))].filter((flag) => flag !== "--help").sort();
/** Flags stand in the list of options, not in examples. */
const optionsIn = (help: string) =>
  flagsIn([...help.matchAll(/^ {2}(?:-\w, )?(--\S+)/gm)].map(([, flag]) => flag).join(" "));

const page = readText("docs/cli.md");
const sectionOf = (name: string) => page.split(/^## /m).find((section) => section.startsWith(`${name}\n`)) ?? "";
const commands = commandsIn(await helpOf());

describe("docs/cli.md", () => {
  it("lists the commands that there are", () => {
    const listed = tableRows(page).flatMap(([link = ""]) => /^\[`([a-z]+)/.exec(link)?.[1] ?? []);
    expect(listed.sort()).toEqual(commands.toSorted());
  });

  it.each(commands.filter((name) => name !== "keys" && name !== "config"))(
    "tells the flags of %s, and no other",
    async (name) => {
      const section = sectionOf(name);
      expect(section, `there is no section ${name}`).not.toBe("");
      expect(flagsIn(section).filter((flag) => flag !== "--version")).toEqual(optionsIn(await helpOf(name)));
    },
  );

  it("tells exit codes as the program has them", async () => {
    const rows = tableRows(page.slice(page.indexOf("## Colours")));
    expect(rows.map(([code]) => code)).toEqual(["0", "1", "2", "another"]);
    const calls = [["version"], ["count", "no-such-file"], ["no-such-command"]];
    expect(await Promise.all(calls.map((args) => run(args, makeTerminal(tmpdir()))))).toEqual([0, 1, 2]);
  });
});

describe("every page", () => {
  const pages = readFiles((path) => path.endsWith(".md"));
  const told = pages.flatMap(longhaulCommands);

  it("tells to run only commands and flags that there are", async () => {
    const faults = await Promise.all(
      told.map(async ({ page: path, line, args: [first = "", second = ""], args }) => {
        const nested = commandsIn(await helpOf(first)).includes(second) ? [first, second] : [first];
        const options = optionsIn(await helpOf(...nested));
        // What follows a client's name is the client's own.
        const own = first === "run" ? [] : args.filter((arg) => arg.startsWith("--") && !options.includes(arg));
        const isKnown = commands.includes(first) || first.startsWith("--");
        return isKnown && own.length === 0 ? [] : [`${path}: ${line}`];
      }),
    );
    expect(told.length).toBeGreaterThan(30);
    expect(faults.flat()).toEqual([]);
  });
});
