import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { openBrowser } from "../dashboard/browser.ts";
import { bundleForBrowser } from "./browser-bundle.ts";
import { type Installed, install } from "./installed.ts";

const packed = inject("packed");
const root = fileURLToPath(new URL("../..", import.meta.url));
const libraries = readdirSync(packed).filter((file) => /^longhaul-[a-z].*\.tgz$/.test(file));

/** The examples of the page in order, with what each prints. Pure ones need no framework. */
const EXAMPLES = [
  { name: "plain messages", prints: /^anthropic-messages true 5$/, isPure: true },
  { name: "a conversation that grows", prints: /^true true$/, isPure: true },
  { name: "AI SDK", prints: /^Paris\.$/, isPure: false },
  { name: "LangChain", prints: /^\d In one line\?\nfunction$/, isPure: false },
  { name: "OpenAI Agents SDK", prints: /^Paris\.$/, isPure: false },
  { name: "a strategy of your own", prints: /^ - Drop thanks: .* tokens \(-\d+%\)$/, isPure: true },
  { name: "your own model", prints: /^true \[\]$/, isPure: true },
  { name: "browsers", prints: /^true true$/, isPure: true },
];
const PAGE = readFileSync(join(root, "docs/library.md"), "utf8");
const CODES = [...PAGE.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = ""]) => code);
const examples = EXAMPLES.map((example, at) => ({ ...example, file: `example-${at}.mts`, code: CODES[at] ?? "" }));

let installed: Installed;
beforeAll(() => {
  installed = install(
    libraries.map((file) => join(packed, file)),
    ["zod"],
  );
  for (const name of ["ai", "@ai-sdk/provider", "@langchain/core", "@openai/agents-core", "@types/node"]) link(name);
  for (const { file, code } of examples) writeFileSync(join(installed.folder, file), code);
});
afterAll(() => installed.remove());

/** Makes one of the repository's own packages available to the project, so that no registry is needed. */
function link(name: string): void {
  const path = join(installed.folder, "node_modules", name);
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(join(root, "node_modules", name), path);
}

describe("the examples of docs/library.md, in an empty project", () => {
  it("are all listed here", () => {
    expect(CODES).toHaveLength(EXAMPLES.length);
  });

  describe.each(inject("nodes"))("on %s", (node) => {
    it.each(examples)("run: $name", ({ file, prints }) => {
      const printed = execFileSync(node, [file], { cwd: installed.folder, encoding: "utf8" });
      expect(printed.trimEnd()).toMatch(prints);
    });
  });

  it("compile with strict settings, with all their declarations", () => {
    const flags = ["--noEmit", "--strict", "--skipLibCheck", "false", "--module", "nodenext", "--target", "es2023"];
    // The frameworks' own declarations need these libraries.
    const args = [
      ...flags,
      "--lib",
      "es2023,esnext.disposable,dom",
      "--types",
      "node",
      ...examples.map(({ file }) => file),
    ];
    expect(errorsOf(join(root, "node_modules/.bin/tsc"), args)).toBe("");
  });
});

function errorsOf(program: string, args: readonly string[]): string {
  try {
    return execFileSync(program, args, { cwd: installed.folder, encoding: "utf8" });
  } catch (error) {
    return error instanceof Error && "stdout" in error ? String(error.stdout) : String(error);
  }
}

describe("the examples without a framework, bundled for the browser", () => {
  const pure = examples.filter(({ isPure }) => isPure);
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it.each(pure)("run in Chromium and without any runtime's globals: $name", async ({ code, prints }) => {
    const script = await scriptOf(code);
    expect(await printedInVm(script)).toMatch(prints);
    const page = await browser.newPage();
    const printed = await page.evaluate(`(async () => {
      ${script}
      const lines = [];
      await example.main({ log: (...said) => lines.push(said.map(${SHOWN}).join(" ")) });
      return lines.join("\\n");
    })()`);
    expect(printed).toMatch(prints);
    await page.close();
  });
});

const SHOWN = `(value) => (typeof value === "object" ? JSON.stringify(value) : String(value))`;

/** Makes a script with a function \`example.main\` that runs an example with the given console. */
async function scriptOf(code: string): Promise<string> {
  const imports = code.match(/^import .*$/gm)?.join("\n") ?? "";
  const body = code.replaceAll(/^import .*$/gm, "");
  const program = `${imports}\nexport async function main(console: { log(...said: unknown[]): void }) {\n${body}\n}`;
  return (await bundleForBrowser({ code: program, folder: installed.folder, variable: "example" })).code;
}

/** Runs a script in a context that has only what the language itself has. */
async function printedInVm(script: string): Promise<string> {
  const lines: string[] = [];
  const context = createContext({ push: (line: string) => lines.push(line) });
  await runInContext(`${script}\nexample.main({ log: (...said) => push(said.map(${SHOWN}).join(" ")) });`, context);
  return lines.join("\n");
}

/** The imports of a program, with the most bytes that it may load at once: minified, and compressed. */
const SIZES = {
  "condense with all strategies": ['export { condense } from "@longhaul/condense";', 222_000, 79_500],
  toolPairs: ['export { toolPairs } from "@longhaul/conversation";', 20_000, 5_000],
  "token counters": ['export { makeTokenCounters } from "@longhaul/models";', 20_000, 8_000],
  "the model catalog": ['export { findModel, loadCatalog } from "@longhaul/models";', 112_000, 20_000],
  "one wire format's codecs": ['export { codecOf } from "@longhaul/wire";', 200_000, 60_000],
  condenseMessages: ['export { condenseMessages } from "@longhaul/adapters";', 405_000, 121_000],
} as const;

it("is small for a program that uses a part", async () => {
  const rows: string[] = [];
  for (const [name, [code, maxMinified, maxGzipped]] of Object.entries(SIZES)) {
    const { minifiedBytes, gzippedBytes } = await bundleForBrowser({ code, folder: installed.folder });
    rows.push(`${name.padEnd(30)} ${kilobytes(minifiedBytes)} minified ${kilobytes(gzippedBytes)} gzipped`);
    expect([name, minifiedBytes <= maxMinified, gzippedBytes <= maxGzipped, rows.at(-1)]).toEqual([
      name,
      true,
      true,
      rows.at(-1),
    ]);
  }
  process.stdout.write(`${rows.join("\n")}\n`);
});

function kilobytes(bytes: number): string {
  return `${(bytes / 1_000).toFixed(1)} KB`.padStart(9);
}
