import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { json, openUpstream } from "@longhaul/fit/testing";
import { afterAll, expect, it, vi } from "vitest";
import { openAdminGateway } from "./testing/admin.ts";

const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(folder, { recursive: true }));
/** How long SQLite waits for a lock before it fails a statement. */
const SQLITE_WAITS_MS = 2_000;

it("continues with a new database and a warning if its own was removed", async () => {
  const path = join(folder, "store.db");
  const lines: string[] = [];
  const { gateway, ask } = await openAdminGateway({ store: { path } }, { writeLog: (line) => void lines.push(line) });
  const change = (value: number) => ask("PATCH", "/settings", { entries: [{ path: "context.threshold", value }] });
  expect((await change(60)).status).toBe(200);
  for (const ending of ["", "-wal", "-shm"]) rmSync(path + ending);
  const said = () => lines.filter((line) => line.includes("store.db was removed while in use"));
  await vi.waitFor(() => expect(said()).toHaveLength(1), { timeout: 60_000, interval: 50 });
  const threshold = () => gateway.settings.layered.config.context.threshold;
  await vi.waitFor(() => expect(threshold()).toBeUndefined(), { timeout: 60_000, interval: 50 });
  expect((await ask("GET", "/health")).body).toMatchObject({
    status: "ok",
    warnings: [expect.stringContaining("a new one was created")],
  });
  expect((await change(70)).status).toBe(200);
  await gateway.close();
  expect(said()).toHaveLength(1);
  const again = await openAdminGateway({ store: { path } });
  expect(again.gateway.settings.layered.config.context.threshold).toBe(70);
  await again.gateway.close();
});

it("answers without waiting while another program locks the database, and reports it in its health", async () => {
  const path = join(folder, "locked.db");
  const upstream = await openUpstream(json({ id: "m", type: "message", role: "assistant", content: [], usage: {} }));
  const { gateway, ask } = await openAdminGateway({
    store: { path },
    upstreams: { up: { kind: "anthropic", baseUrl: upstream.url, apiKey: "k" } },
    routes: [{ match: "*", upstream: "up" }],
    models: { "claude-sonnet-4-5": { window: 4_000, maxOutput: 1_000 } },
  });
  const send = async (words: string) => {
    const sentMs = performance.now();
    const response = await fetch(`${gateway.url}/v1/messages`, { method: "POST", body: longSession(words) });
    await response.text();
    return {
      status: response.status,
      condensed: response.headers.get("x-longhaul-context"),
      ms: performance.now() - sentMs,
    };
  };
  // Warms up what the first request loads.
  await send("first");
  const other = new DatabaseSync(path, { timeout: 5_000 });
  other.exec("begin exclusive");
  const answers = [await send("second"), await send("third")];
  const health = (await ask("GET", "/health")).body;
  other.exec("rollback");
  other.close();
  await expect.poll(async () => (await ask("GET", "/health")).body.status, { timeout: 20_000 }).toBe("ok");
  await gateway.close();
  await upstream.close();
  for (const answer of answers) expect(answer).toMatchObject({ status: 200, condensed: expect.anything() });
  expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(SQLITE_WAITS_MS);
  expect(health).toMatchObject({
    status: "degraded",
    store: { isWorking: false, why: expect.stringMatching(/locked|did not answer/) },
  });
});

function longSession(words: string): string {
  const messages = Array.from({ length: 41 }, (_, index) => ({
    role: index % 2 === 0 ? "user" : "assistant",
    content: `${index} ${`${words} `.repeat(200)}`,
  }));
  return JSON.stringify({ model: "claude-sonnet-4-5", max_tokens: 500, messages });
}
