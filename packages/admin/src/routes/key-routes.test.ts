import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hashKey } from "../host/gateway-key.ts";
import { type AdminServer, openAdminServer } from "../testing/admin-server.ts";

let admin: AdminServer;
beforeEach(async () => {
  admin = await openAdminServer();
});
afterEach(() => admin.close());

describe("keys", () => {
  it("are created and shown once", async () => {
    const limits = { requestsPerMinute: 5, usdPerDay: 1.5 };
    const { body } = await admin.ask("POST", "/keys", {
      name: "ci",
      models: ["claude-*"],
      limits,
      context: { strategy: "lossless" },
    });
    expect(body.key).toMatch(/^lh_/);
    expect(body.created).toEqual({
      id: expect.stringMatching(/^key_/),
      name: "ci",
      hint: `${body.key.slice(0, 7)}…`,
      tenant: body.created.id,
      models: ["claude-*"],
      limits,
      context: { strategy: "lossless" },
      createdAtMs: expect.any(Number),
      used: { requestsThisMinute: 0, underWay: 0, usdToday: 0, usdThisMonth: 0 },
    });
    const listed = await admin.ask("GET", "/keys");
    expect(listed.body).toEqual({ keys: [body.created] });
    expect(JSON.stringify(listed.body)).not.toContain(hashKey(body.key));
  });

  it("can change their name, models, limits and context only", async () => {
    const { id } = (await admin.ask("POST", "/keys", { name: "ci", limits: { concurrent: 1 } })).body.created;
    const changed = await admin.ask("PATCH", `/keys/${id}`, {
      models: ["gpt-5"],
      limits: { concurrent: 9 },
      context: { threshold: 50 },
    });
    expect(changed.body).toMatchObject({
      name: "ci",
      models: ["gpt-5"],
      limits: { concurrent: 9 },
      context: { threshold: 50 },
    });
    for (const body of [
      { tenant: "other" },
      { hash: "x" },
      { id: "y" },
      { limits: { concurrent: 0 } },
      { models: [""] },
    ]) {
      expect((await admin.ask("PATCH", `/keys/${id}`, body)).status).toBe(400);
    }
    expect((await admin.ask("PATCH", "/keys/nobody", { name: "x" })).status).toBe(404);
  });

  it("are revoked, and stay in the list", async () => {
    const { id } = (await admin.ask("POST", "/keys", { name: "ci" })).body.created;
    const revoked = await admin.ask("DELETE", `/keys/${id}`);
    expect(revoked.body).toMatchObject({ id, revokedAtMs: expect.any(Number) });
    expect((await admin.ask("GET", "/keys")).body.keys).toEqual([revoked.body]);
    expect((await admin.ask("DELETE", "/keys/nobody")).status).toBe(404);
  });

  it("are rejected with every invalid field", async () => {
    const { body } = await admin.ask("POST", "/keys", { name: " ", limits: { usdPerDay: -1 }, role: "admin" });
    expect(body.error.faults.map(({ path }: { path: string }) => path)).toEqual(["name", "limits.usdPerDay", ""]);
  });
});
