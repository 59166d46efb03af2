import { BUILT_IN_PRESETS } from "@longhaul/settings";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type AdminServer, openAdminServer } from "../testing/admin-server.ts";

let admin: AdminServer;
beforeEach(async () => {
  admin = await openAdminServer({ profiles: { work: {} } });
});
afterEach(() => admin.close());

const MINE = { description: "For long days.", strategy: "sandwich", config: { preserveTop: 2 } };

describe("presets", () => {
  it("are built in or the user's own", async () => {
    const saved = await admin.ask("PUT", "/presets/My%20own", MINE);
    expect(saved.body).toEqual({ name: "My own", ...MINE, isBuiltIn: false, changedAtMs: expect.any(Number) });
    const { body } = await admin.ask("GET", "/presets");
    expect(body.presets.map(({ name, isBuiltIn }: { name: string; isBuiltIn: boolean }) => [name, isBuiltIn])).toEqual([
      ...BUILT_IN_PRESETS.map(({ name }) => [name, true]),
      ["My own", false],
    ]);
  });

  it("are applied globally or to one profile", async () => {
    await admin.ask("PUT", "/presets/mine", MINE);
    expect((await admin.ask("POST", "/presets/mine/apply")).body).toEqual({ revision: 1, needRestart: [] });
    expect(admin.settings.layered.config.context).toMatchObject({
      strategy: "sandwich",
      strategies: { sandwich: { preserveTop: 2 } },
    });
    await admin.ask("POST", "/presets/Speed/apply", { profile: "work" });
    expect(admin.settings.layered.config.profiles.work?.context?.strategy).toBe("smart");
    expect((await admin.ask("POST", "/presets/mine/apply", { profile: "play" })).status).toBe(404);
    expect((await admin.ask("POST", "/presets/mine/apply", { ifRevision: 0 })).status).toBe(409);
    expect((await admin.ask("POST", "/presets/other/apply")).status).toBe(404);
  });

  it("are exported and imported as files", async () => {
    await admin.ask("PUT", "/presets/mine", MINE);
    const file = await admin.ask("GET", "/presets/mine/export");
    expect(file.headers.get("content-disposition")).toBe('attachment; filename="mine.preset.json"');
    const text = JSON.stringify(file.body);
    expect((await admin.ask("POST", "/presets/import", { text })).status).toBe(409);
    expect((await admin.ask("POST", "/presets/import", { text, mayReplace: true })).body.name).toBe("mine");
    await admin.ask("DELETE", "/presets/mine");
    expect((await admin.ask("POST", "/presets/import", { text })).body).toMatchObject(MINE);
  });

  it("can be removed once unless they are built in", async () => {
    await admin.ask("PUT", "/presets/mine", MINE);
    expect((await admin.ask("DELETE", "/presets/mine")).body).toEqual({ removed: true });
    expect((await admin.ask("DELETE", "/presets/mine")).status).toBe(404);
    expect((await admin.ask("DELETE", "/presets/Speed")).status).toBe(409);
    expect((await admin.ask("PUT", "/presets/Speed", MINE)).status).toBe(409);
  });

  it("are rejected with the invalid field", async () => {
    const bad = await admin.ask("PUT", "/presets/mine", { ...MINE, config: { preserveTop: -1 } });
    expect([bad.status, bad.body.error.faults]).toMatchObject([400, [{ path: "config.preserveTop" }]]);
    const strange = await admin.ask("PUT", "/presets/mine", { ...MINE, isBuiltIn: true });
    expect([strange.status, strange.body.error.code]).toEqual([400, "request.malformed"]);
    const long = await admin.ask("PUT", `/presets/${"x".repeat(101)}`, MINE);
    expect(long.body.error.faults).toMatchObject([{ path: "name" }]);
  });
});
