import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it, vi } from "vitest";
import { openAdminGateway } from "./testing/admin.ts";

const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(folder, { recursive: true }));

it("goes on with a new database where its own was removed, and says so", async () => {
  const path = join(folder, "store.db");
  const lines: string[] = [];
  const { gateway, ask } = await openAdminGateway({ store: { path } }, { writeLog: (line) => void lines.push(line) });
  const change = (value: number) => ask("PATCH", "/settings", { entries: [{ path: "context.threshold", value }] });
  expect((await change(60)).status).toBe(200);
  for (const ending of ["", "-wal", "-shm"]) rmSync(path + ending);
  const said = () => lines.filter((line) => line.includes("store.db was removed while it was in use"));
  await vi.waitFor(() => expect(said()).toHaveLength(1), { timeout: 10_000, interval: 50 });
  const threshold = () => gateway.settings.layered.config.context.threshold;
  await vi.waitFor(() => expect(threshold()).toBeUndefined(), { timeout: 10_000, interval: 50 });
  expect((await ask("GET", "/health")).body).toMatchObject({
    status: "ok",
    warnings: [expect.stringContaining("a new one was made")],
  });
  expect((await change(70)).status).toBe(200);
  await gateway.close();
  expect(said()).toHaveLength(1);
  const again = await openAdminGateway({ store: { path } });
  expect(again.gateway.settings.layered.config.context.threshold).toBe(70);
  await again.gateway.close();
});
