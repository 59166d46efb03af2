import { afterEach, beforeEach, expect, it } from "vitest";
import { ADMIN_TOKEN, type AdminServer, openAdminServer } from "../testing/admin-server.ts";

let admin: AdminServer;
beforeEach(async () => {
  admin = await openAdminServer();
});
afterEach(() => admin.close());

it("sets a Secure cookie behind an HTTPS proxy", async () => {
  const response = await fetch(`${admin.url}/api/sign-in`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-longhaul-admin": "1", "x-forwarded-proto": "https" },
    body: JSON.stringify({ token: ADMIN_TOKEN }),
  });
  expect(response.headers.get("set-cookie")).toMatch(/; HttpOnly; SameSite=Strict; Secure$/);
});

it.each([[{}], [{ token: "" }], [{ token: "x".repeat(1_001) }], [{ token: ADMIN_TOKEN, role: "root" }]])(
  "rejects the body %j",
  async (body) => {
    expect((await admin.ask("POST", "/sign-in", body)).status).toBe(400);
  },
);

it("signs out without a cookie", async () => {
  expect((await admin.ask("POST", "/sign-out")).body).toEqual({ signedIn: false });
});
