import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { announcedBy } from "../announced.ts";
import { ROOT } from "../repository.ts";
import { type CapturingUpstream, openCapturingUpstream } from "./capturing-upstream.ts";

/** Drops all but the last messages. */
const MODULE = `
import { z } from ${JSON.stringify(join(ROOT, "node_modules/zod/index.js"))};
import { defineStrategy } from ${JSON.stringify(join(ROOT, "packages/condense/src/index.ts"))};

export const forgetful = defineStrategy({
  id: "forgetful",
  name: "Forgetful",
  description: "Keeps the last messages.",
  version: "1.0.0",
  capabilities: {
    lossless: false, batchMode: false, individualMode: false, multiPass: false, summarizes: false, speed: "fast",
  },
  guide: { loses: "almost everything", chooseFor: "tests" },
  schema: z.strictObject({ keep: z.int().min(1).default(4).describe("Messages kept.") }),
  stopsAtTarget: false,
  dropsTask: true,
  passes: ({ keep }) => [{
    id: "forget",
    name: "Forget",
    plan: ({ conversation: { messages } }) =>
      [{ kind: "replace", from: 0, to: messages.length - keep, with: [], reason: "drop" }],
  }],
});
`;

const TOKEN = "token-of-the-test";
const REPLY = JSON.stringify({
  id: "c1",
  object: "chat.completion",
  created: 1,
  model: "gpt-4o",
  choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "Done." } }],
  usage: { prompt_tokens: 10, completion_tokens: 1, total_tokens: 11 },
});

const folder = mkdtempSync(join(tmpdir(), "longhaul-modules-"));
let upstream: CapturingUpstream;
let child: ChildProcess;
let url = "";

beforeAll(async () => {
  upstream = await openCapturingUpstream(200, REPLY);
  writeFileSync(join(folder, "forgetful.ts"), MODULE);
  child = start({ strategyModules: ["./forgetful.ts"] });
  url = await announcedBy(child);
});
afterAll(async () => {
  const closed = once(child, "close");
  child.kill();
  await closed;
  await upstream.close();
  rmSync(folder, { recursive: true });
});

/** Starts a gateway with this configuration, and with `forgetful` as its strategy. */
function start(config: object): ChildProcess {
  const file = join(folder, `${Object.values(config).join()}.json`.replaceAll("/", "-"));
  writeFileSync(
    file,
    JSON.stringify({
      store: { path: ":memory:" },
      upstreams: { up: { kind: "openai-compatible", baseUrl: `${upstream.url}/v1` } },
      routes: [{ match: "*", upstream: "up" }],
      context: { strategy: "forgetful", strategies: { forgetful: { keep: 3 } } },
      ...config,
    }),
  );
  const main = join(ROOT, "packages/cli/src/main.ts");
  return spawn(process.execPath, [main, "start", "--config", file, "--port", "0"], {
    cwd: folder,
    env: { ...process.env, LONGHAUL_ADMIN_TOKEN: TOKEN },
  });
}

it("condenses with a strategy from a module of the configuration file, on the worker", async () => {
  const messages = Array.from({ length: 41 }, (_, index) => ({
    role: index % 2 === 0 ? "user" : "assistant",
    content: `${index} ${"lorem ipsum dolor ".repeat(1_500)}`,
  }));
  const response = await fetch(new URL("/v1/chat/completions", url), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "gpt-4o", messages }),
  });
  expect(response.status).toBe(200);
  expect(response.headers.get("x-context-compressed")).toBe("true");
  const numbers = [...(upstream.bodies.at(-1) ?? "").matchAll(/(\d+) lorem/g)].map(([, number]) => number);
  expect(numbers).toEqual(["38", "39", "40"]);
});

it("lists the strategy with its settings", async () => {
  const { strategies } = await ask("/strategies").then((response) => response.json());
  expect(strategies.at(-1)).toMatchObject({ id: "forgetful", schema: { properties: { keep: { default: 4 } } } });
});

it("does not let the API add a module", async () => {
  const entries = [{ path: "strategyModules", value: ["/tmp/other.ts"] }];
  const response = await ask("/settings", { method: "PATCH", body: JSON.stringify({ entries }) });
  expect(response.status).toBe(400);
  expect(await response.text()).toContain("it cannot be stored; set it in the file");
});

it.each([
  ["does not exist", "./missing.ts", /strategyModules: \S+missing\.ts cannot be loaded: Cannot find module/],
  ["exports no strategy", "./empty.ts", /strategyModules: \S+empty\.ts exports no strategy/],
])("reports a module that %s in one line", async (_, module, message) => {
  writeFileSync(join(folder, "empty.ts"), "export const nothing = {};\n");
  const failing = start({ strategyModules: [module] });
  const errors = failing.stderr === null ? "" : await text(failing.stderr);
  expect(errors).toMatch(message);
  expect(errors.trim().split("\n")).toHaveLength(1);
});

function ask(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" };
  return fetch(new URL(`/api${path}`, url), { ...init, headers });
}
