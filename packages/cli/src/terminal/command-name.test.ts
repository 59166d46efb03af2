import { expect, it } from "vitest";
import { run } from "../program.ts";
import { makeTerminal } from "../testing/terminal.ts";

async function call(args: readonly string[], environment: Record<string, string>, programPath?: string) {
  const terminal = Object.assign(makeTerminal("/nowhere", environment), { programPath });
  await run(args, terminal);
  return `${terminal.output()}${terminal.errors()}`;
}

const NPX = { npm_command: "exec" };

it("names the program as a shell finds it", async () => {
  expect(await call(["usage"], {})).toContain("start the gateway with `longhaul setup`.");
});

it("names npx if npm runs the program, in messages, errors, help and examples", async () => {
  expect(await call(["usage"], NPX)).toContain("start the gateway with `npx longhaul setup`.");
  expect(await call(["connect", "--write"], NPX)).toContain("use `npx longhaul connect <client> --write`");
  expect(await call(["usage", "--by", "moon"], NPX)).toContain("Run `npx longhaul usage --help` for usage.");
  const help = await call(["usage", "--help"], NPX);
  expect(help).toContain("Usage: npx longhaul usage [options]");
  expect(help).toContain("\n  npx longhaul usage --by block\n");
});

it("names the path of a program that a shell does not find, except in help", async () => {
  const path = "~/clone/node_modules/.bin/longhaul";
  expect(await call(["usage"], {}, path)).toContain(`start the gateway with \`${path} setup\`.`);
  expect(await call(["usage"], NPX, path)).toContain("start the gateway with `npx longhaul setup`.");
  for (const args of [[], ["usage", "--help"]]) expect(await call(args, {}, path)).not.toContain(path);
  expect(await call(["statusline", "--help"], {}, path)).toMatch(/"command": "\/.*\/bin\/longhaul\.mjs statusline"/);
});

it("names the file of the program for Claude Code, which runs it elsewhere", async () => {
  expect(await call(["statusline", "--help"], NPX)).toMatch(/"command": "\/.*\/bin\/longhaul\.mjs statusline"/);
  expect(await call(["statusline", "--help"], {})).toContain('"command": "longhaul statusline"');
});

it("leaves output for other programs alone", async () => {
  const [plain, named] = [await call(["completion", "bash"], {}), await call(["completion", "bash"], NPX)];
  expect(named).toBe(plain);
});
