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

const COMMAND_LISTS = /^(?:Gateway|Clients|Sessions|Other|Commands):\n(?: {2}.*\n)+/gm;
const commandsIn = (help: string) =>
  [...(help.match(COMMAND_LISTS)?.join("") ?? "").matchAll(/^ {2}([a-z]+)/gm)]
    .map(([, name = ""]) => name)
    .filter((name) => name !== "help");
const flagsIn = (text: string) =>
  [...new Set(text.match(/(?<![\w-])--[a-z][a-z-]*/g))].filter((flag) => flag !== "--help").sort();
/** Returns the flags in the list of options, not those in the examples. */
const optionsIn = (help: string) =>
  flagsIn([...help.matchAll(/^ {2}(?:-\w, )?(--\S+)/gm)].map(([, flag]) => flag).join(" "));

const page = readText("docs/cli.md");
const sectionOf = (name: string) => page.split(/^## /m).find((section) => section.startsWith(`${name}\n`)) ?? "";
const commands = commandsIn(await helpOf());

describe("docs/cli.md", () => {
  it("lists every command", () => {
    const listed = tableRows(page).flatMap(([link = ""]) => /^\[`([a-z]+)/.exec(link)?.[1] ?? []);
    expect(listed.sort()).toEqual(commands.toSorted());
  });

  it.each(commands.filter((name) => name !== "keys" && name !== "config"))(
    "documents exactly the flags of %s",
    async (name) => {
      const section = sectionOf(name);
      expect(section, `there is no section ${name}`).not.toBe("");
      expect(flagsIn(section).filter((flag) => flag !== "--version")).toEqual(optionsIn(await helpOf(name)));
    },
  );

  it("lists the exit codes that the program returns", async () => {
    const rows = tableRows(page.slice(page.indexOf("## Colors")));
    expect(rows.map(([code]) => code)).toEqual(["0", "1", "2", "another"]);
    const calls = [["version"], ["count", "no-such-file"], ["no-such-command"]];
    expect(await Promise.all(calls.map((args) => run(args, makeTerminal(tmpdir()))))).toEqual([0, 1, 2]);
  });
});

describe("every page", () => {
  const pages = readFiles((path) => path.endsWith(".md"));
  const mentioned = pages.flatMap(longhaulCommands);

  it("uses only commands and flags that exist", async () => {
    const faults = await Promise.all(
      mentioned.map(async ({ page: path, line, args: [first = "", second = ""], args }) => {
        const nested = commandsIn(await helpOf(first)).includes(second) ? [first, second] : [first];
        const options = optionsIn(await helpOf(...nested));
        // Flags after the client's name are the client's.
        const own = first === "run" ? [] : args.filter((arg) => arg.startsWith("--") && !options.includes(arg));
        const isKnown = commands.includes(first) || first.startsWith("--");
        return isKnown && own.length === 0 ? [] : [`${path}: ${line}`];
      }),
    );
    expect(mentioned.length).toBeGreaterThan(30);
    expect(faults.flat()).toEqual([]);
  });
});
