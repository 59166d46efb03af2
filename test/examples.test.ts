import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { checkConfig } from "@longhaul/gateway";
import { afterAll, expect, it } from "vitest";
import { loadExample } from "./docs/load-example.ts";

const root = new URL("../", import.meta.url);
const folder = new URL(".cache/examples/", root);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the TypeScript examples of a page as one program, inside the repository, and returns their output. */
function runExamples(page: string): string {
  const text = readFileSync(new URL(page, root), "utf8");
  const code = [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, block]) => block).join("\n");
  mkdirSync(folder, { recursive: true });
  const file = new URL(`${page.replaceAll("/", "-")}.ts`, folder);
  writeFileSync(file, code);
  return execFileSync(process.execPath, [fileURLToPath(file)], { encoding: "utf8" });
}

it.each([
  ["conversation", /^0 0 [0-9a-f]{32}\n$/],
  ["models", /^0\.\d+\n\d+ \{ ratio: 1\.2, tokens: 0, learnt: 0, ignored: 1 \}\n$/],
  ["wire", /^claude-sonnet-4-5 sampling\.seed anthropic-messages does not support it\n$/],
  ["logs", /^1\n$/],
  ["store", /^\[ 32768 \]\n$/],
  ["adapters", /^openai-chat\ngpt-5\n1\nfunction\n$/],
])("runs the example in the README of %s", (name, printed) => {
  expect(runExamples(`packages/${name}/README.md`)).toMatch(printed);
});

it("runs the library's example in its README", () => {
  expect(runExamples("packages/condense/README.md")).toMatch(
    /^\d+ messages left\. Context condensed using .+ strategy:\n - .+ → .+ tokens \(-\d+%\)/,
  );
});

it("runs the examples of the page for libraries", () => {
  expect(runExamples("docs/library.md").split("\n")).toEqual([
    "anthropic-messages true 5",
    "true true",
    "Paris.",
    expect.stringMatching(/^\d In one line\?$/),
    "function",
    "Paris.",
    expect.stringMatching(/^ - Drop thanks: .* tokens \(-\d+%\)$/),
    "true []",
    "true true",
    "",
  ]);
});

it.each([
  "README.md",
  "docs/configuration.md",
  "docs/context.md",
  "docs/summaries.md",
  "docs/compaction.md",
  "docs/reasoning.md",
  "docs/costs.md",
  "docs/migration.md",
])("has a valid configuration in %s", async (page) => {
  const config = loadExample(readFileSync(new URL(page, root), "utf8"));
  expect(Object.keys(config.upstreams).length).toBeGreaterThan(0);
  await expect(checkConfig(config, {})).resolves.toBeUndefined();
});
