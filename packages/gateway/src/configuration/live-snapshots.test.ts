import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseConfig } from "@longhaul/settings";
import { openStore } from "@longhaul/store";
import { describe, expect, it, onTestFinished } from "vitest";
import { configChanges, openLiveSnapshots } from "./live-snapshots.ts";

const FILE = { upstreams: { up: { kind: "openai" } }, routes: [{ match: "*", upstream: "up" }] };

async function openLive(path: string, file: object = FILE) {
  const lines: { msg: string; level: number }[] = [];
  const store = await openStore({ path, nowMs: Date.now });
  const context = {
    nowMs: () => 0,
    nowSeconds: () => 0,
    environment: {},
    writeLog: (line: string) => void lines.push(JSON.parse(line)),
  };
  const live = await openLiveSnapshots({ file }, store, context);
  onTestFinished(async () => {
    await live.close();
    await store.close();
  });
  return { ...live, store, lines };
}

it("activates a change at once and logs what changed", async () => {
  const { settings, snapshots, lines } = await openLive(":memory:");
  const { snapshot, leave } = snapshots.enter();
  await settings.change({ entries: [{ path: "log.tokens", value: true }], by: "anna" });
  expect([snapshot.config.log.tokens, snapshots.current().config.log.tokens]).toEqual([false, true]);
  expect(lines).toMatchObject([{ msg: "configuration reloaded", changed: ["log"] }]);
  leave();
});

it("logs that a setting read at startup needs a restart", async () => {
  const { settings, lines } = await openLive(":memory:");
  await settings.change({ entries: [{ path: "server.port", value: 1 }], by: "anna" });
  expect(lines).toMatchObject([{ level: 40, needRestart: ["server.port"] }]);
});

it("stores no setting that the gateway could not start with", async () => {
  const { settings } = await openLive(":memory:");
  const entries = [{ path: "upstreams.up.wire", value: "gemini" }];
  await expect(settings.change({ entries, by: "anna" })).rejects.toThrow('"gemini" is not supported');
  const models = [{ path: "models.x", value: { window: -1 } }];
  await expect(settings.change({ entries: models, by: "anna" })).rejects.toMatchObject({ code: "settings.invalid" });
});

it("logs once that an invalid stored value is ignored", async () => {
  const { settings, store, lines } = await openLive(":memory:");
  await store.settings.change({ entries: [{ path: "log.level", value: "loud" }], by: "bob", atMs: 1 });
  await settings.refresh();
  settings.reload({ file: FILE });
  const warnings = lines.filter(({ level }) => level === 40);
  expect(JSON.stringify(warnings)).toContain("the stored setting log.level is ignored");
  expect(warnings).toHaveLength(1);
});

it("follows a change by another gateway", async () => {
  const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "shared.db");
  const [one, other] = [await openLive(path), await openLive(path)];
  await one.settings.change({ entries: [{ path: "context.strategy", value: "native" }], by: "anna" });
  await expect.poll(() => other.snapshots.current().config.context.strategy).toBe("native");
  expect(other.settings.revision).toBe(1);
});

const before = { server: { port: 1 }, upstreams: { a: { kind: "openai", apiKey: "k" } } };

function changes(after: object) {
  return configChanges(parseConfig(before, {}), parseConfig(after, {}));
}

describe("configChanges", () => {
  it("names nothing if nothing differs", () => {
    expect(changes(structuredClone(before))).toEqual({ changed: [], needRestart: [] });
  });

  it("names the top-level keys that differ", () => {
    const upstreams = { a: { kind: "openai", apiKey: "other" } };
    const routes = [{ match: "*", upstream: "a" }];
    expect(changes({ ...before, upstreams, routes })).toEqual({ changed: ["upstreams", "routes"], needRestart: [] });
  });

  it.each([
    [{ port: 2 }, ["server.port"]],
    [{ port: 2, host: "::1" }, ["server.host", "server.port"]],
    [{ port: 1, maxRequests: 5 }, []],
  ])("names the settings of %o that need a restart", (server, needRestart) => {
    expect(changes({ ...before, server })).toEqual({ changed: ["server"], needRestart });
  });
});
