import { isJsonObject, type JsonObject } from "@longhaul/conversation";
import type { Prompt, RecordedRequest } from "@longhaul/simulator";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { type ClientReply, openClient } from "./client.ts";
import { filler, openRig, type Rig, type RigOptions } from "./rig.ts";

const SUMMARY = "Summary of Session: what the model told itself";
const WINDOW = 40_000;

/** A gateway for a model that compacts when it is asked to. */
async function rigOf(model: string, config: object = {}, options: RigOptions = {}): Promise<Rig> {
  const { window = WINDOW } = options;
  const models = { [model]: { window, maxInput: window, maxOutput: 10_000 } };
  const script = ({ turns }: Prompt) => answerTo(turns.at(-1)?.texts.join("\n") ?? "");
  const simulator = { models, script, ...options.simulator };
  const rig = await openRig({ ...options, config: { models, ...config }, simulator });
  onTestFinished(rig.close);
  return rig;
}

function answerTo(last: string): string {
  return /^(?:Write a summary of|Summarize) the conversation/.test(last) ? `say ${SUMMARY}` : "say Noted.";
}

/** Talks until the conversation was compacted in the background, then on for a while. */
async function talk(rig: Rig, options: { model: string; wire: string; isStream: boolean }): Promise<ClientReply[]> {
  const client = openClient(rig, options);
  const replies: ClientReply[] = [];
  const say = async () =>
    void replies.push(await client.say(`Turn ${replies.length}: ${filler(replies.length, 4_000)}.`));
  const log = () => rig.log().filter(({ msg }) => msg === "conversation condensed").length;
  while (log() === 0 && replies.length < 12) {
    await say();
    await vi.waitFor(() => expect(settled(rig)).toBe(true), { timeout: 60_000 });
  }
  await say();
  await say();
  return replies;
}

/** Whether every compaction that was asked for was also kept. */
function settled(rig: Rig): boolean {
  const asked = rig.simulator.requests().filter(({ compactions }) => compactions > 0).length;
  return asked <= rig.log().filter(({ msg }) => msg === "conversation condensed").length;
}

const bytesOf = (replies: readonly ClientReply[]) => replies.map(({ bytes }) => bytes).join();
const goodAnswers = (replies: readonly ClientReply[]) => replies.map(() => [200, "Noted."]);

function messagesIn({ body }: Pick<RecordedRequest, "body">, list = "messages"): readonly JsonObject[] {
  const messages = isJsonObject(body) ? body[list] : undefined;
  return Array.isArray(messages) ? messages.filter(isJsonObject) : [];
}

describe("a Claude that compacts on demand", () => {
  const model = "claude-opus-5-5";

  it.each([
    ["anthropic-messages", true],
    ["anthropic-messages", false],
    ["openai-chat", true],
    ["gemini", false],
  ])(
    "is asked once for a %s client (stream: %s), and its signed block is sent from then on",
    async (wire, isStream) => {
      const rig = await rigOf(model);
      const replies = await talk(rig, { model, wire, isStream });
      expect(replies.map(({ status, text }) => [status, text])).toEqual(goodAnswers(replies));
      // A Messages client's thinking is bound to the content that the block replaces: it would be rejected after anything else.
      expect(rig.simulator.totals()).toMatchObject({ rejected: 0, compactions: 1 });
      const requests = rig.simulator.requests();
      const asked = requests.findIndex(({ compactions }) => compactions > 0);
      expect(requests[asked]?.body).toMatchObject({ compaction: { type: "summarize" } });
      for (const last of requests.slice(-2)) {
        expect(last.headers["anthropic-beta"]).toContain("compact-2026-09-04");
        const [first, ...rest] = messagesIn(last);
        expect(first).toMatchObject({
          role: "assistant",
          content: [{ type: "compaction", signature: expect.any(String) }, {}].slice(0, isMerged(wire) ? 2 : 1),
        });
        expect(rest.length).toBeLessThan(7);
      }
      expect(bytesOf(replies)).not.toContain(SUMMARY);
    },
  );

  it("reads the prompt from the cache", async () => {
    const rig = await rigOf(model);
    await talk(rig, { model, wire: "openai-chat", isStream: false });
    const asked = rig.simulator.requests().find(({ compactions }) => compactions > 0);
    expect(asked?.cacheReadTokens).toBeGreaterThan(25_000);
    expect(asked?.cacheWriteTokens).toBe(0);
  });

  it("is asked from COMPACTION_TRIGGER_TOKENS on, in the background", async () => {
    const environment = { COMPACTION_TRIGGER_TOKENS: "50000" };
    const rig = await rigOf(model, {}, { window: 200_000, environment });
    const replies = await talk(rig, { model, wire: "anthropic-messages", isStream: false });
    expect(replies.map(({ status, text }) => [status, text])).toEqual(goodAnswers(replies));
    const asked = rig.simulator.requests().filter(({ compactions }) => compactions > 0);
    expect(asked).toHaveLength(1);
    expect(promptTokens(asked[0])).toBeGreaterThan(45_000);
    expect(promptTokens(asked[0])).toBeLessThan(70_000);
  });

  it("is asked at three quarters of the window if nothing else is set", async () => {
    const rig = await rigOf(model);
    await talk(rig, { model, wire: "openai-chat", isStream: false });
    const asked = rig.simulator.requests().find(({ compactions }) => compactions > 0);
    expect(promptTokens(asked)).toBeLessThan(WINDOW * 0.9);
  });

  it("gets the threshold's edit instead if its vendor rejects the beta, and no strategy runs", async () => {
    const model = "claude-opus-4-6";
    const refusing = { simulator: { refusedBetas: ["compact-2026-09-04"] }, window: 200_000 };
    const rig = await rigOf(model, { compaction: { triggerTokens: 50_000 } }, refusing);
    const replies = await talk(rig, { model, wire: "anthropic-messages", isStream: false });
    expect(replies.map(({ status, text }) => [status, text])).toEqual(goodAnswers(replies));
    const condensed = rig.log().filter(({ msg }) => msg === "conversation condensed");
    expect(condensed.map(({ strategy }) => strategy)).toEqual(["compaction"]);
    expect(rig.simulator.totals()).toMatchObject({ rejected: 1, compactions: 1 });
    const edit = { type: "compact_20260112", trigger: { type: "input_tokens", value: 50_000 } };
    const compacting = rig.simulator.requests().find(({ compactions }) => compactions > 0);
    expect(compacting?.body).toMatchObject({ context_management: { edits: [edit] } });
    expect(rig.log().map(({ msg }) => msg)).toContain(
      `conversations with "${model}" are no longer compacted on demand: the upstream rejects it`,
    );
  });

  it("is not asked where compaction is switched off", async () => {
    const rig = await rigOf(model, { compaction: { enabled: false } });
    const replies = await talk(rig, { model, wire: "openai-chat", isStream: false });
    expect(replies.map(({ status, text }) => [status, text])).toEqual(goodAnswers(replies));
    expect(rig.simulator.totals()).toMatchObject({ rejected: 0, compactions: 0 });
  });
});

describe("a GPT that compacts on demand", () => {
  const model = "gpt-5.2";

  it("is asked once for a client of another format, and its item is sent from then on", async () => {
    const rig = await rigOf(model);
    const replies = await talk(rig, { model, wire: "anthropic-messages", isStream: true });
    expect(replies.map(({ status, text }) => [status, text])).toEqual(goodAnswers(replies));
    expect(rig.simulator.totals()).toMatchObject({ rejected: 0, compactions: 1 });
    const requests = rig.simulator.requests();
    const asked = requests.find(({ compactions }) => compactions > 0);
    expect(asked && messagesIn(asked, "input").at(-1)).toEqual({ type: "compaction_trigger" });
    expect(asked?.cacheReadTokens).toBeGreaterThan(20_000);
    expect(promptTokens(asked)).toBeLessThan(WINDOW * 0.9);
    const [last] = requests.slice(-1);
    expect(last && messagesIn(last, "input").filter(({ type }) => type === "compaction")).toHaveLength(1);
    expect(last && messagesIn(last, "input")[0]?.type).toBe("compaction");
    expect(bytesOf(replies)).not.toContain(SUMMARY);
  });
});

function promptTokens(request: RecordedRequest | undefined): number {
  const { inputTokens = 0, cacheReadTokens = 0, cacheWriteTokens = 0 } = request ?? {};
  return inputTokens + cacheReadTokens + cacheWriteTokens;
}

/** A reply for another format has block and reply in one message; a client's own messages keep their bytes. */
function isMerged(wire: string): boolean {
  return wire !== "anthropic-messages";
}
