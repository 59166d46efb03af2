import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RecordedRequest } from "@longhaul/simulator";
import { afterEach, describe, expect, it } from "vitest";
import { type Client, type ClientReply, openClient } from "./client.ts";
import { filler, openRig, type Rig, type RigOptions } from "./rig.ts";

const MODEL = "claude-opus-4-6";
const SUMMARY = "Summary of Session: what the model told itself";
const BETA = "compact-2026-01-12";

const rigs: Rig[] = [];
afterEach(closeRigs);

async function closeRigs(): Promise<void> {
  await Promise.all(rigs.splice(0).map((rig) => rig.close()));
}

/** A gateway for a model with a window of 200,000 that compacts from 50,000 on. */
async function rigOf(options: RigOptions = {}): Promise<Rig> {
  const rig = await openRig({
    window: 200_000,
    config: { compaction: { triggerTokens: 50_000, onDemand: false } },
    ...options,
    simulator: { script: ({ turns }) => answerTo(turns.at(-1)?.texts.join("\n") ?? ""), ...options.simulator },
  });
  rigs.push(rig);
  return rig;
}

function answerTo(last: string): string {
  return /^(?:Write a summary of|Summarize) the conversation/.test(last) ? `say ${SUMMARY}` : "say Noted.";
}

/** About 15,000 tokens, and different on every turn: the fourth is over the trigger. */
const news = (turn: number) => `Turn ${turn}: ${filler(turn, 10_500)}. What now?`;

async function talkTo(client: Client, turns: number, from = 0): Promise<ClientReply[]> {
  const replies: ClientReply[] = [];
  for (let turn = from; turn < from + turns; turn++) replies.push(await client.say(news(turn)));
  return replies;
}

const compactions = (rig: Rig) => rig.simulator.requests().map((request) => request.compactions);
const tokensOf = (request: RecordedRequest | undefined) =>
  (request?.inputTokens ?? 0) + (request?.cacheReadTokens ?? 0) + (request?.cacheWriteTokens ?? 0);

const WIRES = ["anthropic-messages", "openai-chat", "openai-responses", "gemini"];
const CLIENTS = WIRES.flatMap((wire) => [false, true].map((isStream) => [wire, isStream] as const));

describe("Bug 1: the compaction summary is forwarded to the client", () => {
  it.each(CLIENTS)(
    "%s (stream: %s): one compaction, not one on each turn, and nothing of it in the client's bytes",
    async (wire, isStream) => {
      const rig = await rigOf();
      const replies = await talkTo(openClient(rig, { model: MODEL, wire: wire, isStream: isStream }), 6);
      expect(replies.map(({ status, text }) => [status, text])).toEqual(replies.map(() => [200, "Noted."]));
      expect(compactions(rig)).toEqual([0, 0, 0, 1, 0, 0]);
      expect(rig.simulator.totals()).toMatchObject({ requests: 6, rejected: 0, compactions: 1 });
      const bytes = replies.map((turn) => turn.bytes).join("\n");
      expect(bytes).not.toContain(SUMMARY);
      expect(bytes).not.toMatch(/"type":\s*"compaction(?:_delta)?","(?:content|encrypted)/);
      expect(bytes.includes('"iterations"')).toBe(wire === "anthropic-messages");
      // Afterwards the summary and the newer messages are sent.
      expect(tokensOf(rig.simulator.requests().at(-1))).toBeLessThan(40_000);
    },
  );

  it("compacts again only when the prompt exceeds the trigger again", async () => {
    const rig = await rigOf();
    await talkTo(openClient(rig, { model: MODEL, wire: "anthropic-messages", isStream: true }), 9);
    expect(compactions(rig)).toEqual([0, 0, 0, 1, 0, 0, 0, 1, 0]);
  });

  it("compacts at 150,000 of 200,000 by default", async () => {
    const rig = await rigOf({ config: { compaction: { onDemand: false } } });
    const client = openClient(rig, { model: MODEL, wire: "openai-chat", isStream: false });
    const statuses = await talkTo(client, 14);
    expect(statuses.every(({ status }) => status === 200)).toBe(true);
    const at = compactions(rig).indexOf(1);
    expect(rig.simulator.totals()).toMatchObject({ rejected: 0, compactions: 1 });
    expect(tokensOf(rig.simulator.requests()[at])).toBeGreaterThan(150_000);
  });
});

describe("Bug 2: the response is empty after compaction", () => {
  it("every request near the threshold asks the summarizer to keep the latest user message; others are not changed", async () => {
    const rig = await rigOf();
    const client = openClient(rig, { model: MODEL, wire: "openai-chat", isStream: false });
    await client.say("hi");
    for (let turn = 0; turn < 3; turn++) await client.say(news(turn));
    const [first] = rig.simulator.requests();
    expect(first?.body).not.toHaveProperty("context_management");
    const sent = rig.simulator.requests().at(-1);
    expect(sent?.body).toMatchObject({
      context_management: {
        edits: [
          {
            type: "compact_20260112",
            trigger: { type: "input_tokens", value: 50_000 },
            instructions: expect.stringContaining("user's latest message word for word"),
          },
        ],
      },
    });
    expect(sent?.headers["anthropic-beta"]).toBe(BETA);
  });

  it.each([false, true])("an answer that stays empty is reported (stream: %s)", async (isStream) => {
    // The fourth turn is the one that is compacted.
    const script = ({ turns }: { turns: readonly { texts: readonly string[] }[] }) => {
      const chosen = answerTo(turns.at(-1)?.texts.join("\n") ?? "");
      return chosen === "say Noted." && turns.length === 7 ? "empty" : chosen;
    };
    const rig = await rigOf({ simulator: { script } });
    await talkTo(openClient(rig, { model: MODEL, wire: "openai-chat", isStream: isStream }), 4);
    expect(compactions(rig)).toEqual([0, 0, 0, 1]);
    expect(rig.log().filter(({ msg }) => /empty|said nothing/.test(msg))).toHaveLength(1);
  });
});

describe("Bug 3: the context-1m beta causes a 400", () => {
  const headers = { "anthropic-beta": "context-1m-2025-08-07,interleaved-thinking-2025-05-14" };

  it.each([false, true])("is sent again without, and never again with it (stream: %s)", async (isStream) => {
    const rig = await rigOf({ simulator: { hasLongContext: false } });
    const client = openClient(rig, { model: MODEL, wire: "anthropic-messages", isStream: isStream });
    expect((await client.say("hi", { headers })).status).toBe(200);
    expect((await client.say("and?", { headers })).status).toBe(200);
    const sent = rig.simulator.requests().map((request) => request.headers["anthropic-beta"]);
    expect(sent).toEqual([headers["anthropic-beta"], ...Array(2).fill("interleaved-thinking-2025-05-14")]);
  });
});

describe("clients that compact themselves", () => {
  const edit = { type: "compact_20260112", trigger: { type: "input_tokens", value: 55_000 } };
  const fields = { context_management: { edits: [edit] } };

  it("keep their edit, get the beta they forgot, and see their blocks", async () => {
    const rig = await rigOf();
    const client = openClient(rig, { model: MODEL, wire: "anthropic-messages", isStream: false });
    const replies: ClientReply[] = [];
    for (let turn = 0; turn < 6; turn++) replies.push(await client.say(news(turn), { fields }));
    const [sent] = rig.simulator.requests();
    expect([sent?.body, sent?.headers["anthropic-beta"]]).toMatchObject([
      { context_management: { edits: [edit] } },
      BETA,
    ]);
    expect(compactions(rig).filter((count) => count > 0)).toEqual([1]);
    expect(replies.filter(({ bytes }) => bytes.includes(SUMMARY))).toHaveLength(1);
  });
});

describe("a stored block", () => {
  it("is kept over a restart, and dropped where the API refuses it", async () => {
    const folder = mkdtempSync(join(tmpdir(), "longhaul-compaction-"));
    const storePath = join(folder, "longhaul.db");
    try {
      const first = await rigOf({ storePath });
      let rig = first;
      const client = openClient(() => rig, { model: MODEL, wire: "openai-chat", isStream: true });
      await talkTo(client, 4);
      await first.restart();
      await talkTo(client, 1, 4);
      expect(compactions(first)).toEqual([0, 0, 0, 1, 0]);
      await closeRigs();
      // Another account: it does not know the seals of the one before.
      rig = await rigOf({ storePath, simulator: { secret: "another" } });
      const replies = await talkTo(client, 2, 5);
      expect(replies.map(({ status, text }) => [status, text])).toEqual([
        [200, "Noted."],
        [200, "Noted."],
      ]);
      const seen = rig.simulator.requests().map((request) => [request.rejected?.code, request.compactions]);
      expect(seen).toEqual([
        ["compaction_signature_invalid", 0],
        [undefined, 1],
        [undefined, 0],
      ]);
      await closeRigs();
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe("what switches it off", () => {
  it.each<[string, RigOptions, object]>([
    ["the setting", { config: { compaction: { enabled: false } } }, {}],
    ["the header that leaves requests alone", {}, { "x-disable-compression": "true" }],
  ])("%s", async (_, options, headers) => {
    const rig = await rigOf(options);
    await openClient(rig, { model: MODEL, wire: "anthropic-messages", isStream: false }).say("hi", {
      headers: { ...headers },
    });
    const [sent] = rig.simulator.requests();
    expect(sent?.body).not.toHaveProperty("context_management");
    expect(sent?.headers).not.toHaveProperty("anthropic-beta");
  });
});
