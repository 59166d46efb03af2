import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "vitest";
import { askTurn } from "./ask-turn.ts";
import { openSandbox } from "./sandbox.ts";

const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(folder, { recursive: true }));

const options = {
  model: "claude-sonnet-4-5",
  windowTokens: 8_000,
  strategy: "smart",
  script: () => ({ calls: [], times: 0, ending: { kind: "say", text: "Done." } }) as const,
};
const body = { model: "claude-sonnet-4-5", max_tokens: 100, messages: [{ role: "user", content: "Hello" }] };

it("answers by its script and saves the session in the given store", async () => {
  const store = join(folder, "kept.db");
  const sandbox = await openSandbox({ ...options, store });
  try {
    const turn = await askTurn({ url: sandbox.url, session: "s1", body });
    expect(turn.content).toEqual([{ type: "text", text: "Done." }]);
    expect(turn.sentTokens).toBe(turn.originalTokens);
    expect(await sandbox.sessionAfter("s1", 1)).toMatchObject({ session: "s1", requests: 1, windowTokens: 8_000 });
    expect(await sandbox.dashboard()).toContain(`${sandbox.url}/#token=`);
  } finally {
    await sandbox.close();
  }
  expect(existsSync(store)).toBe(true);
  await expect(fetch(`${sandbox.url}/healthz`)).rejects.toThrow();
});

it("throws if a turn is rejected", async () => {
  const sandbox = await openSandbox(options);
  try {
    const asked = { url: sandbox.url, session: "s1", body: { ...body, max_tokens: -1 } };
    await expect(askTurn(asked)).rejects.toThrow(/the request was rejected with status 400: .*max_tokens/);
  } finally {
    await sandbox.close();
  }
});

it("closes everything if the gateway cannot be opened", async () => {
  await expect(openSandbox({ ...options, port: 1, store: folder })).rejects.toThrow();
});

it("leaves no file if the program ends because its output was closed", async () => {
  const temporary = mkdtempSync(join(folder, "t"));
  const program = fileURLToPath(import.meta.resolve("../main.ts"));
  const env = { ...process.env, HOME: temporary, TMPDIR: temporary };
  const child = spawn(process.execPath, [program, "demo", "--fast"], { env, stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  expect(readdirSync(temporary)).toHaveLength(1);
  child.stdout.destroy();
  expect(await once(child, "exit")).toEqual([0, null]);
  expect(readdirSync(temporary)).toEqual([]);
});
