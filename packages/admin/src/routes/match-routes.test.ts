import { afterAll, beforeAll, expect, it } from "vitest";
import { type AdminServer, openAdminServer } from "../testing/admin-server.ts";

let admin: AdminServer;
beforeAll(async () => {
  admin = await openAdminServer({
    upstreams: { claude: { kind: "anthropic", apiKey: "k" }, spare: { kind: "openai", apiKey: "k" } },
    routes: [
      { match: "gpt-*", upstream: "spare" },
      { match: "claude-*", upstream: ["claude", "spare"] },
    ],
  });
});
afterAll(() => admin.close());

it("shows the first route that matches, those before it, and its destinations in order", async () => {
  const { body } = await admin.ask("GET", "/routes/match?model=claude-opus-4-6");
  expect(body).toMatchObject({ index: 1, match: "claude-*", name: "claude-opus-4-6", skipped: ["gpt-*"] });
  expect(body.destinations).toMatchObject([
    { upstream: "claude", kind: "anthropic", model: "claude-opus-4-6" },
    { upstream: "spare", kind: "openai" },
  ]);
});

it("says why no route matches", async () => {
  const { status, body } = await admin.ask("GET", "/routes/match?model=llama");
  expect([status, body]).toEqual([
    200,
    { skipped: [], destinations: [], why: expect.stringContaining('no route serves the model "llama"') },
  ]);
});

it("rejects a query without a model", async () => {
  expect((await admin.ask("GET", "/routes/match")).status).toBe(400);
});
