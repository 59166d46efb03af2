import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RowAnswer } from "@longhaul/admin/api";
import { openSimulator, type Simulator } from "@longhaul/simulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AdminGateway, openAdminGateway } from "./testing/admin.ts";
import { BENCH_MODEL, makeChat } from "./testing/fitting.ts";

const folder = mkdtempSync(join(tmpdir(), "longhaul-requests-"));
const file = (keep: "all" | "off") => ({
  upstreams: { up: { kind: "simulator", apiKey: "k" } },
  routes: [{ match: "*", upstream: "up" }],
  models: { [BENCH_MODEL]: { window: 4_000, maxOutput: 1_000 } },
  store: { path: join(folder, `${keep}.db`) },
  contents: { keep },
  context: { strategy: "middle-out" },
});

/** Sends a request that fits and one that does not, and restarts the gateway, so that both are stored. */
async function openWithRequests(simulator: Simulator, keep: "all" | "off"): Promise<AdminGateway> {
  const options = { simulatorUrl: simulator.url };
  const { gateway } = await openAdminGateway(file(keep), options);
  for (const body of [makeChat(1), makeChat(60)]) {
    const answer = await fetch(`${gateway.url}/v1/messages`, {
      method: "POST",
      headers: { "content-type": "application/json", "anthropic-version": "2023-06-01" },
      body: JSON.stringify(body),
    });
    expect([answer.status, await answer.json()]).toMatchObject([200, { type: "message" }]);
  }
  await gateway.close();
  return await openAdminGateway(file(keep), options);
}

describe("GET /requests/:id", () => {
  let simulator: Simulator;
  let opened: AdminGateway;
  let condensed: string;
  let plain: string;
  beforeAll(async () => {
    simulator = await openSimulator();
    opened = await openWithRequests(simulator, "all");
    const { requests } = (await opened.ask("GET", "/events")).body;
    [condensed = "", plain = ""] = requests.map(({ id }: { id: string }) => id);
  });
  afterAll(async () => {
    await opened.gateway.close();
    await simulator.close();
    rmSync(folder, { recursive: true });
  });

  it("shows how a request was condensed, pass by pass, with the received next to the sent messages", async () => {
    const { body: shown } = await opened.ask("GET", `/requests/${condensed}`);
    expect(shown.request).toMatchObject({ id: condensed, strategy: "middle-out", origin: "new" });
    expect(shown.condensations).toMatchObject([{ requestId: condensed, strategy: "middle-out" }]);
    expect(shown.condensations[0].report.passes[0]).toMatchObject({
      outcome: "applied",
      tokensBefore: expect.any(Number),
    });
    const { contents } = shown;
    expect(contents).toMatchObject({ wire: "anthropic-messages", sentWire: "anthropic-messages", isSame: false });
    expect(contents.messagesAfter).toBeLessThan(contents.messagesBefore);
    const fates = contents.rows.map(({ fate }: RowAnswer) => fate);
    expect(fates[0]).toBe("kept");
    expect(fates.at(-1)).toBe("kept");
    expect(new Set(fates)).toEqual(new Set(["kept", "dropped", "added"]));
    expect(contents.rows).toContainEqual(expect.objectContaining({ kind: "note", fate: "added" }));
    const kept = contents.rows.filter(({ fate }: RowAnswer) => fate === "kept");
    expect(kept).toHaveLength(contents.messagesAfter);
  });

  it("returns rows in pages, and one row in full", async () => {
    const { contents } = (await opened.ask("GET", `/requests/${condensed}?from=2&limit=3`)).body;
    expect(contents.rows.map(({ at }: RowAnswer) => at)).toEqual([2, 3, 4]);
    const one = (await opened.ask("GET", `/requests/${condensed}?row=1`)).body.contents;
    expect(one.rows).toMatchObject([{ at: 1, isCut: false }]);
    expect((await opened.ask("GET", `/requests/${condensed}?limit=99999`)).status).toBe(400);
  });

  it("marks a request that was not condensed", async () => {
    const { body: shown } = await opened.ask("GET", `/requests/${plain}`);
    expect(shown).toMatchObject({
      request: { id: plain, strategy: "" },
      condensations: [],
      contents: { isSame: true },
    });
    expect(shown.contents.rows.every(({ fate }: RowAnswer) => fate === "kept")).toBe(true);
  });

  it("shows the result of another strategy", async () => {
    const body = { conversation: { requestId: condensed }, strategy: "native" };
    const { body: shown } = await opened.ask("POST", "/preview", body);
    expect(shown).toMatchObject({
      model: BENCH_MODEL,
      strategy: "native",
      limits: { windowTokens: 4_000, isAssumed: false },
    });
    expect(shown.rows.some(({ kind }: RowAnswer) => kind === "summary")).toBe(true);
  });

  it("returns only figures if contents are not stored, and 404 for an unknown request", async () => {
    const off = await openWithRequests(simulator, "off");
    const [latest, first] = (await off.ask("GET", "/events")).body.requests;
    const shown = (await off.ask("GET", `/requests/${latest.id}`)).body;
    expect(shown.condensations.length + shown.request.originalTokens).toBeGreaterThan(4_000);
    expect(shown).not.toHaveProperty("contents");
    for (const session of ["none", first.session]) {
      expect((await off.ask("DELETE", `/session?session=${session}`)).status).toBe(200);
    }
    expect(await off.ask("GET", `/requests/${first.id}`)).toMatchObject({
      status: 404,
      body: { error: { code: "request.not-kept" } },
    });
    await off.gateway.close();
  });
});
