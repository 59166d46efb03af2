import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type AdminServer, openAdminServer } from "../testing/admin-server.ts";
import { changeAsAdmin, needRestart } from "./settings-routes.ts";

let admin: AdminServer;
beforeEach(async () => {
  admin = await openAdminServer({
    upstreams: { claude: { kind: "anthropic", apiKey: "hush-hush-hush" } },
    routes: [{ match: "*", upstream: "claude" }],
    context: { strategy: "sandwich" },
  });
});
afterEach(() => admin.close());

const change = (entries: readonly object[], more: object = {}) => admin.ask("PATCH", "/settings", { entries, ...more });

async function settingAt(path: string) {
  const { body } = await admin.ask("GET", "/settings");
  return body.settings.find((setting: { path: string }) => setting.path === path);
}

describe("GET /settings", () => {
  it("returns value, default, help and origin of every setting", async () => {
    expect(await settingAt("context.strategy")).toMatchObject({
      group: "context",
      help: "Strategy that condenses conversations.",
      default: "smart",
      value: "sandwich",
      origin: "file",
      isSet: true,
      needsRestart: false,
    });
    expect(await settingAt("server.port")).toMatchObject({ variable: "PORT", needsRestart: true });
  });

  it("never returns a secret, only that it is set", async () => {
    const { body } = await admin.ask("GET", "/settings");
    expect(await settingAt("upstreams.claude.apiKey")).toMatchObject({ isSecret: true, isSet: true });
    expect(JSON.stringify(body)).not.toMatch(/hush|a-long-admin-token/);
  });

  it("lists every possible setting", async () => {
    const { body } = await admin.ask("GET", "/settings/specs");
    const paths = body.settings.map(({ path }: { path: string }) => path);
    expect(paths).toEqual(expect.arrayContaining(["profiles.*.context.threshold", "upstreams.*.apiKey"]));
    expect(body.groups[0]).toEqual({ name: "version", help: expect.any(String) });
  });
});

describe("PATCH /settings", () => {
  it("applies and removes a value at once", async () => {
    expect((await change([{ path: "context.strategy", value: "lossless" }])).body).toEqual({
      revision: 1,
      needRestart: [],
    });
    expect(await settingAt("context.strategy")).toMatchObject({ value: "lossless", origin: "stored" });
    await change([{ path: "context.strategy" }]);
    expect(await settingAt("context.strategy")).toMatchObject({ value: "sandwich", origin: "file" });
  });

  it("changes all or nothing, and names every fault", async () => {
    const { status, body } = await change([
      { path: "context.strategy", value: "lossless" },
      { path: "context.threshold", value: 3 },
      { path: "nothing.at.all", value: 1 },
      { path: "server.adminToken", value: "a-token-of-an-attacker" },
    ]);
    expect([status, body.error.code]).toEqual([400, "settings.invalid"]);
    expect(body.error.faults.map(({ path }: { path: string }) => path).sort()).toEqual([
      "context.threshold",
      "nothing.at.all",
      "server.adminToken",
    ]);
    expect(await settingAt("context.strategy")).toMatchObject({ origin: "file" });
  });

  it("changes nothing if the revision is outdated", async () => {
    await change([{ path: "log.tokens", value: true }]);
    const { status, body } = await change([{ path: "log.tokens", value: false }], { ifRevision: 0 });
    expect([status, body.error.code]).toEqual([409, "store.conflict"]);
    expect(await settingAt("log.tokens")).toMatchObject({ value: true });
  });

  it("rejects unknown fields", async () => {
    const { status, body } = await change([{ path: "log.tokens", value: true, isSecret: false }], { by: "root" });
    expect(status).toBe(400);
    expect(body.error.faults.map(({ path }: { path: string }) => path)).toEqual(["entries.0", ""]);
  });

  it("accepts a secret and returns it nowhere", async () => {
    await change([{ path: "upstreams.claude.apiKey", value: "new-hush-hush" }]);
    expect(admin.settings.layered.config.upstreams.claude?.apiKey).toBe("new-hush-hush");
    const answers = await Promise.all(
      ["/settings", "/settings/history", "/settings/export"].map((path) => admin.ask("GET", path)),
    );
    expect(JSON.stringify(answers.map(({ body }) => body))).not.toContain("hush");
  });
});

describe("history", () => {
  it("lists author, old and new value of every change, by pages", async () => {
    await change([{ path: "context.strategy", value: "lossless" }]);
    await change([{ path: "context.strategy", value: "smart" }]);
    const { body } = await admin.ask("GET", "/settings/history?limit=1");
    expect(body.records).toEqual([
      {
        revision: 2,
        path: "context.strategy",
        before: "lossless",
        after: "smart",
        isSecret: false,
        by: "admin",
        atMs: expect.any(Number),
      },
    ]);
    const earlier = await admin.ask("GET", "/settings/history?beforeRevision=2&path=context.strategy");
    expect(earlier.body.records).toMatchObject([{ revision: 1, after: "lossless" }]);
    expect((await admin.ask("GET", "/settings/history?limit=many")).status).toBe(400);
  });

  it("undoes one setting or a whole revision", async () => {
    await change([
      { path: "context.strategy", value: "lossless" },
      { path: "server.port", value: 9 },
    ]);
    const one = await admin.ask("POST", "/settings/undo", { revision: 1, path: "server.port" });
    expect(one.body).toEqual({ revision: 2, needRestart: ["server.port"] });
    expect(await settingAt("context.strategy")).toMatchObject({ value: "lossless" });
    await admin.ask("POST", "/settings/undo", { revision: 1 });
    expect(await settingAt("context.strategy")).toMatchObject({ value: "sandwich" });
    expect((await admin.ask("POST", "/settings/undo", { revision: 99 })).status).toBe(400);
  });
});

describe("files", () => {
  it("carry all settings to another gateway, and name the secrets missing there", async () => {
    await change([{ path: "context.threshold", value: 42 }]);
    const exported = await admin.ask("GET", "/settings/export");
    expect(exported.headers.get("content-disposition")).toBe('attachment; filename="longhaul-settings.json"');
    const other = await openAdminServer();
    try {
      const text = JSON.stringify(exported.body);
      const trial = await other.ask("POST", "/settings/import", { text, isTrial: true });
      expect([trial.body.revision, other.settings.revision]).toEqual([0, 0]);
      expect(trial.body.entries).toContainEqual({ path: "context.threshold", value: 42 });
      const done = await other.ask("POST", "/settings/import", { text });
      expect(done.body).toMatchObject({ revision: 1, missing: ["upstreams.claude.apiKey"] });
      expect(other.settings.layered.config.context).toMatchObject({ strategy: "sandwich", threshold: 42 });
    } finally {
      await other.close();
    }
  });

  it("of Roo Code are imported as far as possible", async () => {
    const text = JSON.stringify({ autoCondenseContextPercent: 55, profileThresholds: { work: 60 } });
    const { body } = await admin.ask("POST", "/settings/import-roo", { text });
    expect(body).toMatchObject({
      revision: 1,
      entries: [{ path: "context.threshold", value: 55 }],
      leftOut: [{ path: "profileThresholds.work", why: expect.stringContaining("no profile") }],
    });
  });

  it("are rejected if they are invalid, and change nothing if they are empty", async () => {
    expect((await admin.ask("POST", "/settings/import", { text: "no" })).body.error.message).toContain(
      "is not valid JSON",
    );
    expect((await admin.ask("POST", "/settings/import-roo", { text: "{}" })).body).toMatchObject({
      revision: 0,
      entries: [],
    });
  });
});

let server: AdminServer;
beforeEach(async () => {
  server = await openAdminServer();
});
afterEach(() => server.close());

it("changes a section and names the settings that need a restart", async () => {
  const entries = [{ path: "server", value: { port: 1, maxRequests: 7 } }];
  expect(await changeAsAdmin(server, { entries })).toEqual({ revision: 1, needRestart: ["server.port"] });
  expect(server.settings.layered.config.server).toMatchObject({ port: 1, maxRequests: 7 });
});

it("ignores unknown settings", () => {
  expect(needRestart(["server.host", "context.strategy", "nothing"])).toEqual(["server.host"]);
});
