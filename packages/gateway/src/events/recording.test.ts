import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { type Handler, json, openUpstream } from "@longhaul/fit/testing";
import { parseConfig } from "@longhaul/settings";
import { openStore } from "@longhaul/store";
import { afterAll, describe, expect, it } from "vitest";
import { openGateway } from "../gateway.ts";
import { BENCH_MODEL, makeChat } from "../testing/fitting.ts";

const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(folder, { recursive: true }));

const CANARY = "hush-said-0123456789";
const UPSTREAM_MS = 150;

/** Answers after a while, and reports one token per four characters of the body. */
const answering: Handler = (seen, response) => {
  const usage = { input_tokens: Math.round(seen.body.length / 4), output_tokens: 20 };
  const reply = { id: "m", type: "message", role: "assistant", model: "x", stop_reason: "end_turn", usage };
  setTimeout(() => json({ ...reply, content: [{ type: "text", text: "Fine." }] })(seen, response), UPSTREAM_MS);
};

/** Sends requests to a gateway with its own store, closes it, and opens the store. */
async function record(name: string, bodies: readonly object[], more: object = {}) {
  const upstream = await openUpstream(answering);
  const path = join(folder, `${name}.db`);
  const file = parseConfig(
    {
      server: { port: 0 },
      upstreams: { up: { kind: "anthropic", baseUrl: upstream.url, apiKey: "k" } },
      routes: [{ match: "*", upstream: "up" }],
      models: { [BENCH_MODEL]: { window: 4_000, maxOutput: 1_000 } },
      store: { path },
      context: { strategy: "middle-out" },
      ...more,
    },
    {},
  );
  const gateway = await openGateway({ file, environment: {} });
  for (const body of bodies) {
    const answer = await fetch(`${gateway.url}/v1/messages`, { method: "POST", body: JSON.stringify(body) });
    expect([answer.status, await answer.json()]).toMatchObject([200, { type: "message" }]);
  }
  await gateway.close();
  await upstream.close();
  const store = await openStore({ path, nowMs: Date.now });
  const requests = (await store.events.requests({ limit: 10 })).toReversed();
  const condensations = await store.events.condensations({ limit: 10 });
  const sessions = await store.events.sessions({ limit: 10 });
  const contents = await Promise.all(requests.map(({ id }) => store.contents.find(id)));
  await store.close();
  return { requests, condensations, sessions, contents, seen: upstream.seen, bytes: readFileSync(path, "latin1") };
}

/** A conversation with a secret, and its next turn. */
function makeTurns() {
  const chat = makeChat(60);
  const messages = [
    { role: "user", content: `Remember ${CANARY}. ` },
    { role: "assistant", content: "I do." },
    ...chat.messages,
  ];
  const next = [
    { role: "assistant", content: "Fine." },
    { role: "user", content: "And then?" },
  ];
  return [makeChat(1), { ...chat, messages }, { ...chat, messages: [...messages, ...next] }];
}

describe("the events of a gateway", () => {
  it("contain each request's sizes, cost and savings, and the condensation between them", async () => {
    const off = { events: { titles: false } };
    const { requests, condensations, sessions, bytes } = await record("figures", makeTurns(), off);
    const [small, first, second] = requests;
    expect(requests).toHaveLength(3);
    expect(small).toMatchObject({ origin: "", strategy: "", savedUsd: 0, windowTokens: 4_000, attempts: 1 });
    expect(small?.originalTokens).toBe(small?.sentTokens);
    expect(first).toMatchObject({ origin: "new", strategy: "middle-out", upstream: "up", model: BENCH_MODEL });
    expect(second).toMatchObject({ origin: "reused", strategy: "middle-out", outputTokens: 20 });
    for (const event of [first, second]) {
      expect(event?.sentTokens).toBeLessThan(4_000);
      expect(event?.originalTokens).toBeGreaterThan(4_000);
      expect(event?.costUsd).toBeGreaterThan(0);
      expect(event?.savedUsd).toBeGreaterThan(0);
      const parts = Object.values(event?.anatomy ?? {}).reduce((sum, each) => sum + each, 0);
      expect(Math.abs(parts - (event?.sentTokens ?? 0))).toBeLessThan(10);
    }
    expect(condensations).toMatchObject([{ requestId: first?.id, strategy: "middle-out", session: first?.session }]);
    expect(condensations[0]?.tokensAfter).toBeLessThan(condensations[0]?.tokensBefore ?? 0);
    expect(sessions).toMatchObject([{ session: second?.session, requests: 2, condensations: 1 }, { requests: 1 }]);
    expect(JSON.stringify({ requests, condensations })).not.toContain("hush");
    expect(bytes).not.toContain(CANARY);
  });

  it("include the first words of each session as its title", async () => {
    const { sessions } = await record("titles", makeTurns());
    expect(sessions.map(({ title }) => title)).toContain(`Remember ${CANARY}.`);
  });

  it("count only the time without waiting for the upstream as added", async () => {
    const { requests } = await record("times", [makeChat(1), makeChat(1)]);
    const event = requests[1];
    expect(event?.firstByteMs).toBeGreaterThanOrEqual(UPSTREAM_MS - 2);
    expect(event?.addedMs).toBeGreaterThan(0);
    expect(event?.addedMs).toBeLessThanOrEqual((event?.firstByteMs ?? 0) - UPSTREAM_MS + 2);
  });

  it("include received and sent bodies if contents are stored", async () => {
    const turns = makeTurns();
    const { contents, seen } = await record("contents", turns, { contents: { keep: "condensed" } });
    const text = (packed: Uint8Array | undefined) => packed && gunzipSync(packed).toString();
    expect(contents.map((content) => text(content?.before))).toEqual([
      undefined,
      JSON.stringify(turns[1]),
      JSON.stringify(turns[2]),
    ]);
    expect(contents.map((content) => text(content?.after))).toEqual([undefined, seen[1]?.body, seen[2]?.body]);
  });

  it("are absent if turned off", async () => {
    const { requests, condensations } = await record("off", makeTurns(), { events: { enabled: false } });
    expect([requests, condensations]).toEqual([[], []]);
  });
});
