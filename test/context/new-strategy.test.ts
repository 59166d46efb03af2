import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { announcedBy } from "../announced.ts";
import { ROOT, readText } from "../repository.ts";

const FILE = `
import { z } from "zod";
import { defineStrategy } from "../contract/strategy.ts";
import { keepLastPass } from "./sliding-window.ts";

export const forgetful = defineStrategy({
  id: "forgetful",
  name: "Forgetful",
  description: "Keeps the last messages.",
  version: "1.0.0",
  capabilities: {
    lossless: false, batchMode: false, individualMode: false, multiPass: false, summarizes: false, speed: "fast",
  },
  guide: {
    loses: "almost everything",
    chooseFor: "tests",
    recommendation: { rank: 0, reason: "nothing else is asked for" },
    firstSettings: ["keep"],
    prompts: [{ id: "forgetful", use: "What is forgotten", text: "Forget." }],
  },
  schema: z.strictObject({
    keep: z.int().min(1).default(4).describe("Messages kept."),
    more: z.boolean().default(false).describe("Does nothing."),
  }),
  stopsAtTarget: false,
  passes: ({ keep }) => [keepLastPass(keep)],
});
`;

const TOKEN = "token-of-the-test";
const folder = mkdtempSync(join(tmpdir(), "longhaul-strategy-"));
let url = "";
let stop = async () => {};

beforeAll(async () => {
  copyHouse();
  writeFileSync(join(folder, "packages/condense/src/strategies/forgetful.ts"), FILE);
  change("packages/condense/src/registry.ts", [
    ["import { fullHistory }", 'import { forgetful } from "./strategies/forgetful.ts";\nimport { fullHistory }'],
    ["  treeSummary,\n]", "  treeSummary,\n  forgetful,\n]"],
  ]);
  const config = join(folder, "longhaul.json");
  writeFileSync(
    config,
    JSON.stringify({
      store: { path: ":memory:" },
      upstreams: { up: { kind: "openai-compatible", baseUrl: "http://127.0.0.1:1/v1" } },
      routes: [{ match: "*", upstream: "up" }],
    }),
  );
  const main = join(folder, "packages/cli/src/main.ts");
  const child = spawn(process.execPath, [main, "start", "--config", config, "--port", "0"], {
    cwd: folder,
    env: { ...process.env, LONGHAUL_ADMIN_TOKEN: TOKEN },
  });
  stop = async () => {
    const closed = once(child, "close");
    child.kill();
    await closed;
  };
  url = await announcedBy(child);
});
afterAll(async () => {
  await stop();
  rmSync(folder, { recursive: true });
});

it("shows a strategy on the settings page that is nothing but its file and a line in the registry", async () => {
  const { strategies } = await ask("/strategies");
  expect(strategies.at(-1)).toMatchObject({
    id: "forgetful",
    loses: "almost everything",
    chooseFor: "tests",
    firstSettings: ["keep"],
    schema: { properties: { keep: { default: 4 }, more: { default: false } } },
    defaults: { keep: 4, more: false },
  });
  const { settings } = await ask("/settings");
  const paths = settings.map(({ path }: { path: string }) => path);
  expect(paths).toContain("context.strategies.forgetful");
});

it("lists its prompt", async () => {
  const { prompts } = await ask("/prompts");
  expect(prompts).toContainEqual({
    id: "forgetful",
    use: "What is forgotten: forgetful.",
    text: "Forget.",
    strategies: ["forgetful"],
  });
});

it("recommends it when it says that it is the first choice", async () => {
  const { recommended, strategies } = await ask("/estimate", { conversation: { example: "bug-hunt" } });
  expect(strategies.map(({ id }: { id: string }) => id)).toContain("forgetful");
  expect(recommended).toEqual({
    strategy: "forgetful",
    reason: expect.stringMatching(/^Saves \d+% of the tokens: nothing else is asked for\.$/),
  });
});

it("misses it on the page about strategies until its rows are there", () => {
  const page = "docs/strategies/README.md";
  expect(pageFaults(readText(page))).toEqual(["forgetful"]);
  const rows = readText(page)
    .replace(/^\| \[`tree-summary`\].*$/m, "$&\n| [`forgetful`](forgetful.md) | the end | almost everything | tests |")
    .replace(/^\| `tree-summary` \| –.*$/m, "$&\n| `forgetful` | – | – | – | – | – | fast | 2 |");
  expect(pageFaults(rows)).toEqual([]);
});

/** Copies the packages, with what they need beside them. */
function copyHouse(): void {
  cpSync(join(ROOT, "packages"), join(folder, "packages"), {
    recursive: true,
    filter: (path) => !/\.test\.ts$|[\\/](?:node_modules|dist|dashboard[\\/]src)$/.test(path),
  });
  const modules = join(folder, "node_modules");
  mkdirSync(join(modules, "@longhaul"), { recursive: true });
  for (const name of readdirSync(join(ROOT, "node_modules"))) {
    if (name.startsWith(".") || name === "@longhaul") continue;
    symlinkSync(realpathSync(join(ROOT, "node_modules", name)), join(modules, name), "junction");
  }
  for (const name of readdirSync(join(folder, "packages"))) {
    symlinkSync(join(folder, "packages", name), join(modules, "@longhaul", name), "junction");
  }
}

function change(path: string, changes: readonly (readonly [string, string])[]): void {
  const file = join(folder, path);
  const before = readFileSync(file, "utf8");
  const after = changes.reduce((text, [from, to]) => text.replace(from, () => to), before);
  expect(after).not.toBe(before);
  writeFileSync(file, after);
}

async function ask(path: string, body?: object) {
  const posted = body && { method: "POST", body: JSON.stringify(body) };
  const headers = { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" };
  const response = await fetch(new URL(`/api${path}`, url), { headers, ...posted });
  expect(response.status).toBe(200);
  return await response.json();
}

/** The copy's docs check for a page. */
function pageFaults(page: string): unknown {
  const program = `
    import { text } from "node:stream/consumers";
    import { STRATEGIES } from "@longhaul/condense";
    import { strategiesPageFaults } from "./packages/condense/src/testing/describe-page.ts";
    console.log(JSON.stringify(strategiesPageFaults(await text(process.stdin), STRATEGIES)));
  `;
  const args = ["--input-type=module", "--eval", program];
  return JSON.parse(execFileSync(process.execPath, args, { cwd: folder, input: page, encoding: "utf8" }));
}
