import { describe, expect, it, onTestFinished } from "vitest";
import { openRig, type Rig, type RigOptions, talk } from "./rig.ts";

async function rigOf(options: RigOptions = {}): Promise<Rig> {
  const rig = await openRig({ window: 12_000, ...options });
  onTestFinished(rig.close);
  return rig;
}

type Content = string | readonly object[];

/** The messages of a turn, with cache marks where Claude Code sets them: on the last block of the last two messages of the user. */
function marked(exchanges: number, mark: object = { type: "ephemeral" }): object[] {
  const messages = talk(exchanges + 1).slice(0, -1) as { role: string; content: Content }[];
  return messages.map(({ role, content }, index) => {
    const isMarked = role === "user" && index >= messages.length - 3;
    return { role, content: isMarked ? [{ type: "text", text: content, cache_control: mark }] : content };
  });
}

const system = [{ type: "text", text: "Be brief.", cache_control: { type: "ephemeral" } }];

function marksIn(body: unknown): number {
  return JSON.stringify(body).split('"cache_control"').length - 1;
}

describe("a client that sets cache breakpoints", () => {
  it("reads nearly all of a reused epoch from the cache", async () => {
    const rig = await rigOf();
    for (const exchanges of [50, 51, 52, 53]) await rig.say(marked(exchanges), { system });
    const [, ...reused] = rig.turns();
    for (const { cacheReadTokens, cacheWriteTokens, inputTokens } of reused) {
      expect(cacheReadTokens / (cacheReadTokens + cacheWriteTokens + inputTokens)).toBeGreaterThan(0.85);
    }
  });

  it("gets one more breakpoint at the end of the condensed part while fewer than four are used", async () => {
    const rig = await rigOf();
    await rig.say(marked(50), { system });
    await rig.say(marked(50), { system: [...system, ...system] });
    expect(rig.turns().map(({ body }) => marksIn(body))).toEqual([4, 4]);
    expect(rig.simulator.totals().rejected).toBe(0);
  });

  it("keeps marks for an hour before those for less", async () => {
    const rig = await rigOf();
    const hour = { type: "ephemeral", ttl: "1h" };
    const answer = await rig.say(marked(50, hour), { system: [{ ...system[0], cache_control: hour }] });
    expect(answer.status, answer.text).toBe(200);
    expect(JSON.stringify(rig.turns()[0]?.body).split('"ttl":"1h"')).toHaveLength(5);
  });

  it("that marks nothing gets no mark", async () => {
    const rig = await rigOf();
    await rig.say(talk(51).slice(0, -1));
    expect(marksIn(rig.turns()[0]?.body)).toBe(0);
  });
});

describe("a client of another format", () => {
  const chat = (model: string, exchanges: number) => ({ model, messages: talk(exchanges + 1).slice(0, -1) });

  it("gets automatic caching on Anthropic", async () => {
    const rig = await rigOf();
    for (const exchanges of [50, 51, 52]) {
      await rig.post("/v1/chat/completions", chat("claude-sonnet-4-5", exchanges));
    }
    expect(rig.turns()[0]?.body).toMatchObject({ cache_control: { type: "ephemeral" } });
    expect(rig.turns()[2]?.cacheReadTokens).toBeGreaterThan(4_000);
  });

  it("gets a cache key on OpenAI, the same on every turn of the conversation", async () => {
    const rig = await rigOf();
    const body = (exchanges: number) => ({
      model: "gpt-4o",
      max_tokens: 100,
      messages: talk(exchanges + 1).slice(0, -1),
    });
    for (const exchanges of [5, 6]) await rig.say(body(exchanges).messages, body(exchanges));
    const keys = rig.turns().map(({ body: sent }) => (sent as { prompt_cache_key?: string }).prompt_cache_key);
    expect(keys[0]).toMatch(/^[\w-]{16,64}$/);
    expect(keys[1]).toBe(keys[0]);
  });
});
