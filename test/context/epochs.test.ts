import { describe, expect, it, onTestFinished } from "vitest";
import { filler, MODEL, makeStorePath, openRig, type Rig, type RigOptions, talk, turn } from "./rig.ts";

async function rigOf(options: RigOptions = {}): Promise<Rig> {
  const rig = await openRig(options);
  onTestFinished(rig.close);
  return rig;
}

function sentMessages(rig: Rig): string[][] {
  return rig
    .turns()
    .map(({ body }) => (body as { messages: object[] }).messages.map((message) => JSON.stringify(message)));
}

/** How many messages of the turn before are not a prefix of the next. */
function brokenPrefixes(sent: readonly string[][]): number {
  return sent.slice(1).filter((messages, index) => {
    const before = sent[index]?.slice(0, -1) ?? [];
    return !before.every((message, at) => messages[at] === message);
  }).length;
}

describe("an epoch", () => {
  it("is made once and used on every later turn until the trigger is crossed again", async () => {
    const rig = await rigOf();
    const origins: (string | null)[] = [];
    for (let exchanges = 10; exchanges < 26; exchanges++) {
      const answer = await rig.say(turn(exchanges));
      expect(answer.status).toBe(200);
      origins.push(answer.headers.get("x-longhaul-context"));
    }
    const made = origins.filter((origin) => origin === "new").length;
    expect(made).toBeGreaterThanOrEqual(2);
    expect(made).toBeLessThanOrEqual(4);
    expect(origins.filter((origin) => origin === "reused").length).toBe(
      16 - made - origins.filter((origin) => origin === null).length,
    );
    expect(brokenPrefixes(sentMessages(rig))).toBe(made);
    expect(rig.simulator.totals().rejected).toBe(0);
  });

  it("outlives a restart", async () => {
    const rig = await rigOf({ storePath: makeStorePath() });
    await rig.say(turn(14));
    const [before] = sentMessages(rig);
    await rig.restart();
    const answer = await rig.say(turn(15));
    expect(answer.headers.get("x-longhaul-context")).toBe("reused");
    expect(sentMessages(rig)[1]?.slice(0, (before?.length ?? 0) - 1)).toEqual(before?.slice(0, -1));
  });

  it("is gone once the operator forgets its session", async () => {
    const adminToken = "a-long-admin-token";
    const rig = await rigOf({ config: { server: { port: 0, adminToken } } });
    const named = { "x-session-id": "talk" };
    await rig.say(turn(14), {}, named);
    expect((await rig.say(turn(14), {}, named)).headers.get("x-longhaul-context")).toBe("reused");
    const headers = { authorization: `Bearer ${adminToken}`, "content-type": "application/json" };
    const forgotten = await fetch(`${rig.gateway.adminUrl}/api/session?session=talk`, { method: "DELETE", headers });
    expect(await forgotten.json()).toMatchObject({ epochs: 1 });
    expect((await rig.say(turn(14), {}, named)).headers.get("x-longhaul-context")).toBe("new");
  });

  it("is found again where the client branches or edits, by the longest prefix that still matches", async () => {
    const rig = await rigOf();
    await rig.say(turn(14));
    const [before = []] = sentMessages(rig);
    const branched = [...talk(14), { role: "user", content: "Something else entirely." }];
    const edited = turn(14).with(0, { role: "user", content: "Question 0, in other words." });
    expect((await rig.say(branched)).headers.get("x-longhaul-context")).toBe("reused");
    expect(sentMessages(rig).at(-1)?.slice(0, 5)).toEqual(before.slice(0, 5));
    expect((await rig.say(edited)).headers.get("x-longhaul-context")).toBe("new");
    const third = await rig.say([
      ...turn(14),
      { role: "assistant", content: "Yes." },
      { role: "user", content: "More." },
    ]);
    expect(third.headers.get("x-longhaul-context")).toBe("reused");
    expect(sentMessages(rig).at(-1)?.slice(0, before.length)).toEqual(before);
  });

  it("is never shared with another model or strategy", async () => {
    const rig = await rigOf({
      config: {
        routes: [
          { match: "claude-opus-*", upstream: "anthropic", context: { strategy: "sliding-window" } },
          { match: "claude-*", upstream: "anthropic" },
        ],
      },
    });
    await rig.say(turn(14));
    const other = await rig.say(turn(15), { model: "claude-opus-4-6" });
    expect(other.headers.get("x-longhaul-context")).toBe("new");
    expect(other.headers.get("x-longhaul-strategy")).toBe("sliding-window");
  });

  it("is left aside by a history that fits as it is", async () => {
    const rig = await rigOf();
    await rig.say(turn(14));
    const answer = await rig.say(turn(5));
    expect(answer.headers.get("x-context-compressed")).toBeNull();
    expect(sentMessages(rig)[1]).toEqual(turn(5).map((message) => JSON.stringify(message)));
  });

  it("is made once for requests that come at the same time", async () => {
    const rig = await rigOf();
    const answers = await Promise.all(Array.from({ length: 5 }, () => rig.say(turn(14))));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(rig.log().filter(({ msg }) => msg === "conversation condensed")).toHaveLength(1);
    expect(new Set(sentMessages(rig).map((messages) => messages.join())).size).toBe(1);
  });

  it("survives what clients clear themselves: thinking and old results", async () => {
    const rig = await rigOf({ context: { strategy: "middle-out" } });
    const call = { role: "assistant", content: [{ type: "tool_use", id: "a", name: "look", input: {} }] };
    const result = (content: string) => ({
      role: "user",
      content: [{ type: "tool_result", tool_use_id: "a", content }],
    });
    const tools = [{ name: "look", input_schema: { type: "object" } }];
    const history = (seen: string, exchanges: number) => [
      { role: "user", content: "Look." },
      call,
      result(seen),
      { role: "assistant", content: "Seen." },
      ...turn(exchanges),
    ];
    const session = { "x-session-id": "one" };
    await rig.say(history(`seen ${filler(3, 40)}`, 14), { tools }, session);
    const answer = await rig.say(history("[cleared]", 15), { tools }, session);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("x-longhaul-context")).toBe("reused");
    expect(JSON.stringify(rig.turns()[1]?.body)).toContain("[cleared]");
  });
});

describe("four client formats", () => {
  const TARGETS = { anthropic: "claude-sonnet-4-5", openai: "gpt-4o", gemini: "gemini-2.5-flash" };
  const FORMATS = {
    "anthropic-messages": (model: string, exchanges: number) => ({
      path: "/v1/messages",
      body: { model, max_tokens: 200, messages: turn(exchanges) },
    }),
    "openai-chat": (model: string, exchanges: number) => ({
      path: "/v1/chat/completions",
      body: {
        model,
        max_completion_tokens: 200,
        messages: [{ role: "system", content: "Be brief." }, ...turn(exchanges)],
      },
    }),
    "openai-responses": (model: string, exchanges: number) => ({
      path: "/v1/responses",
      body: { model, max_output_tokens: 200, store: false, input: turn(exchanges) },
    }),
    gemini: (model: string, exchanges: number) => ({
      path: `/v1beta/models/${model}:generateContent`,
      body: {
        generationConfig: { maxOutputTokens: 200 },
        contents: (turn(exchanges) as { role: string; content: string }[]).map(({ role, content }) => ({
          role: role === "assistant" ? "model" : "user",
          parts: [{ text: content }],
        })),
      },
    }),
  };
  const pairs = Object.keys(FORMATS).flatMap((format) =>
    Object.keys(TARGETS).map((target) => [format, target] as const),
  );

  it.each(pairs)("%s to %s: condensed once, reused after that", async (format, target) => {
    const rig = await rigOf();
    const make = FORMATS[format as keyof typeof FORMATS];
    const model = TARGETS[target as keyof typeof TARGETS];
    const origins: (string | null)[] = [];
    for (const exchanges of [20, 21, 22]) {
      const { path, body } = make(model, exchanges);
      const answer = await rig.post(path, body);
      expect(answer.status, answer.text).toBe(200);
      origins.push(answer.headers.get("x-longhaul-context"));
    }
    expect(origins).toEqual(["new", "reused", "reused"]);
    expect(rig.simulator.totals().rejected).toBe(0);
    const field =
      { anthropic: "messages", openai: format === "openai-responses" ? "input" : "messages", gemini: "contents" }[
        target
      ] ?? "";
    const sent = rig
      .turns()
      .map(({ body }) => (body as Record<string, object[]>)[field]?.map((entry) => JSON.stringify(entry)) ?? []);
    expect(brokenPrefixes(sent)).toBe(0);
  });
});

describe("the size that clients see", () => {
  const count = async (rig: Rig, exchanges: number, headers = {}) => {
    const body = { model: MODEL, messages: turn(exchanges) };
    const { text } = await rig.post("/v1/messages/count_tokens", body, headers);
    return JSON.parse(text).input_tokens as number;
  };

  it("is the size of the sent prompt, in usage and in count_tokens", async () => {
    const rig = await rigOf();
    await rig.say(turn(14));
    const answer = await rig.say(turn(15));
    const { input_tokens: used } = JSON.parse(answer.text).usage;
    expect(used).toBe(rig.turns().at(-1)?.inputTokens);
    expect(used).toBeLessThan(4_000);
    const counted = await count(rig, 15);
    expect(Math.abs(counted - used) / used).toBeLessThan(0.1);
  });

  it("is that of what would be sent, before anything is", async () => {
    const rig = await rigOf();
    expect(await count(rig, 30)).toBeLessThan(4_000);
    expect(rig.simulator.totals().requests).toBe(0);
  });

  it("is the upstream's own count if the original is sent or the client asks for it", async () => {
    const rig = await rigOf();
    const exact = await count(rig, 5);
    expect(exact).toBeGreaterThan(1_000);
    expect(rig.simulator.requests().map(({ path }) => path)).toEqual(["/v1/messages/count_tokens"]);
    expect(await count(rig, 30, { "x-disable-compression": "true" })).toBeGreaterThan(exact * 5);
  });
});
