import { STRATEGIES } from "@longhaul/condense";
import { describe, expect, it, onTestFinished } from "vitest";
import { openCapturingUpstream } from "./capturing-upstream.ts";
import { asMessages, send, WIRES } from "./formats.ts";
import { filler, MODEL, openRig, type Rig, type RigOptions, SUMMARY_SIGN, turn } from "./rig.ts";

async function rigOf(options: RigOptions = {}): Promise<Rig> {
  const script = ({ turns }: { turns: readonly { texts: readonly string[] }[] }) =>
    turns.at(-1)?.texts.join("\n").includes(SUMMARY_SIGN) ? "say They spoke of harbours." : "say Noted.";
  const rig = await openRig({ ...options, simulator: { script, ...options.simulator } });
  onTestFinished(rig.close);
  return rig;
}

const long = turn(20);
const sentMessages = (rig: Rig) => (rig.simulator.requests().at(-1)?.body as { messages?: object[] })?.messages;
const finished = (rig: Rig) => rig.log().findLast(({ msg }) => msg === "request finished");

/** How each format says that a prompt is too long. */
const DIALECTS = {
  "anthropic-messages": /^prompt is too long(?:: \d+ tokens > 4000 maximum)?$/,
  "openai-chat":
    /^This model's maximum context length is 4000 tokens\. However, your messages resulted in \d+ tokens\./,
  "openai-responses": /^Your input exceeds the context window of this model\./,
  gemini: /^The input token count \(\d+\) exceeds the maximum number of tokens allowed \(4000\)\.$/,
} as const;

/** The three scopes of context settings, wider ones first. */
const PLACES = ["globally", "by profile", "by route"] as const;

function settingsAt(place: (typeof PLACES)[number], context: object): RigOptions {
  if (place === "globally") return { context };
  const route = { match: "*", upstream: "anthropic" };
  if (place === "by route") return { config: { routes: [{ ...route, context }] } };
  return { config: { profiles: { own: { context } }, routes: [{ ...route, profile: "own" }] } };
}

describe.each(PLACES)("context.mode %s", (place) => {
  it("on makes requests fit", async () => {
    const rig = await rigOf(settingsAt(place, { mode: "on" }));
    const answer = await rig.say(long);
    expect([answer.status, answer.headers.get("x-context-compressed")]).toEqual([200, "true"]);
  });

  it("off looks away: the upstream's own refusal arrives", async () => {
    const rig = await rigOf(settingsAt(place, { mode: "off" }));
    const answer = await rig.say(long);
    expect([answer.status, sentMessages(rig)]).toEqual([400, long]);
    expect(JSON.parse(answer.text).error.message).toMatch(/^prompt is too long: \d+ tokens > 4000 maximum$/);
    expect(rig.simulator.totals().requests).toBe(1);
    expect(finished(rig)).not.toHaveProperty("observed");
  });

  it("observe forwards every byte, and the log says what would have been done", async () => {
    const reply = { id: "msg_1", type: "message", role: "assistant", model: MODEL, content: [], usage: {} };
    const upstream = await openCapturingUpstream(200, JSON.stringify(reply));
    onTestFinished(upstream.close);
    const rig = await rigOf({ ...settingsAt(place, { mode: "observe" }), upstream: { baseUrl: upstream.url } });
    const body = { model: MODEL, messages: long, max_tokens: 3_999, "an odd field": [1.5e3] };
    const answer = await rig.post("/v1/messages", body);
    expect(upstream.bodies).toEqual([JSON.stringify(body)]);
    const ours = [...answer.headers.keys()].filter((name) => /compress|tokens|longhaul-(?!request)/.test(name));
    expect([answer.status, answer.text, ours]).toEqual([200, JSON.stringify(reply), []]);
    expect(finished(rig)).toMatchObject({
      observed: {
        originalTokens: expect.any(Number),
        sentTokens: expect.any(Number),
        strategy: "smart",
        origin: "new",
      },
    });
    expect(finished(rig)).not.toHaveProperty("condensed");
    expect(rig.log().map(({ msg }) => msg)).not.toContain("conversation condensed");
  });
});

describe("observe", () => {
  it("spends nothing on summaries and refuses nothing", async () => {
    const rig = await rigOf({ context: { mode: "observe", strategy: "native" }, simulator: { skew: 0.1 } });
    expect((await rig.say(long)).status).toBe(200);
    expect(finished(rig)).toMatchObject({ observed: { strategy: "native" } });
    const huge = [{ role: "user", content: filler(1, 6_000) }];
    expect((await rig.say(huge)).status).toBe(200);
    expect(finished(rig)).toMatchObject({
      observed: { refused: expect.stringMatching(/exceed the budget of 3700 tokens by \d+/) },
    });
    expect(rig.asks()).toEqual([]);
    expect(sentMessages(rig)).toEqual(huge);
  });

  it("gives way to what a route says", async () => {
    const rig = await rigOf({
      context: { mode: "observe" },
      config: {
        profiles: { off: { context: { mode: "off" } } },
        routes: [
          { match: "claude-opus-*", upstream: "anthropic", profile: "off", context: { mode: "on" } },
          { match: "*", upstream: "anthropic", profile: "off" },
        ],
      },
    });
    expect((await rig.say(long, { model: "claude-opus-4-6" })).headers.get("x-context-compressed")).toBe("true");
    expect((await rig.say(long)).status).toBe(400);
    expect(finished(rig)).not.toHaveProperty("observed");
  });
});

describe("strategies", () => {
  const ids = STRATEGIES.map(({ id }) => id);

  it("are ten", () => {
    expect(ids.toSorted()).toEqual(
      [
        ...["full-history", "lossless", "middle-out", "native", "sandwich"],
        ...["sliding-truncation", "sliding-window", "smart", "tree-summary", "truncation"],
      ].toSorted(),
    );
  });

  const selected = ids
    .filter((id) => id !== "full-history")
    .flatMap((id) => PLACES.map((place) => [id, place] as const));

  it.each(selected)("%s is chosen %s", async (strategy, place) => {
    const rig = await rigOf(settingsAt(place, { strategy }));
    const answer = await rig.say(readings(12), { tools: TOOLS });
    expect(answer.status, answer.text).toBe(200);
    expect([answer.headers.get("x-longhaul-strategy"), answer.headers.get("x-longhaul-context")]).toEqual([
      strategy,
      "new",
    ]);
    expect(rig.simulator.totals().rejected).toBe(0);
  });

  it.each(PLACES)("full-history leaves requests alone, chosen %s", async (place) => {
    const rig = await rigOf(settingsAt(place, { strategy: "full-history" }));
    const fitting = await rig.say(turn(11));
    expect([fitting.status, sentMessages(rig)]).toEqual([200, turn(11)]);
    expect(fitting.headers.get("x-context-compressed")).toBeNull();
  });
});

const TOOLS = [{ name: "read", description: "Reads a file.", input_schema: { type: "object" } }];

/** A session in which the same long file is read again and again: every strategy has something to work on. */
function readings(times: number): object[] {
  const file = Array.from({ length: 20 }, (_, line) => `line ${line}: ${filler(line, 8)}`).join("\n");
  return [
    ...Array.from({ length: times }, (_, index) => [
      { role: "user", content: `Read it, please, for the ${index}th time: ${filler(index, 20)}` },
      { role: "assistant", content: [{ type: "tool_use", id: `t${index}`, name: "read", input: { path: "a.ts" } }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: `t${index}`, content: file }] },
      { role: "assistant", content: `Done: ${filler(index + 50, 30)}` },
    ]).flat(),
    { role: "user", content: "And now?" },
  ];
}

describe("the threshold", () => {
  /** About 45 % of the window by our count. */
  const half = turn(6);
  const condensedAt = async (options: RigOptions) => {
    const rig = await rigOf(options);
    return (await rig.say(half)).headers.get("x-context-compressed") === "true";
  };

  it("of the whole is the window, unless it is set", async () => {
    expect(await condensedAt({})).toBe(false);
    expect(await condensedAt({ context: { threshold: 30 } })).toBe(true);
    expect(await condensedAt({ context: { threshold: 90 } })).toBe(false);
  });

  it("of a profile goes before the global one", async () => {
    expect(await condensedAt({ context: { threshold: 90 }, ...profile({ threshold: 30 }) })).toBe(true);
    expect(await condensedAt({ context: { threshold: 30 }, ...profile({ threshold: 90 }) })).toBe(false);
  });

  it("of -1 inherits", async () => {
    expect(await condensedAt({ context: { threshold: 30 }, ...profile({ threshold: -1 }) })).toBe(true);
    expect(await condensedAt({ context: { threshold: 90 }, ...profile({ threshold: -1 }) })).toBe(false);
  });

  const profile = (context: object) => ({
    config: { profiles: { own: { context } }, routes: [{ match: "*", upstream: "anthropic", profile: "own" }] },
  });
});

describe.each(PLACES)("the target %s", (place) => {
  const sizeWith = async (context: object) => {
    const rig = await rigOf(settingsAt(place, { strategy: "middle-out", ...context }));
    return Number((await rig.say(long)).headers.get("x-compressed-tokens"));
  };

  it("is the share of the window or the number of tokens that is set", async () => {
    const usual = await sizeWith({});
    const [share, tokens] = [await sizeWith({ targetShare: 0.25 }), await sizeWith({ targetTokens: 1_200 })];
    expect(usual).toBeGreaterThan(1_500);
    expect([share <= 1_000, tokens <= 1_200, tokens > share]).toEqual([true, true, true]);
  });
});

describe("context.keepOutputLimit", () => {
  const sending = { wire: "openai-chat", model: "gpt-4o", maxOutputTokens: 4_000 };
  const rigWith = (context: object) => rigOf({ window: 6_000, maxOutput: 5_000, context, simulator: { skew: 1 } });

  it("condenses before the client's output limit is lowered", async () => {
    const reply = await send(await rigWith({ keepOutputLimit: true }), { ...sending, messages: asMessages(turn(12)) });
    expect([reply.status, reply.headers.get("x-longhaul-max-tokens")]).toEqual([200, null]);
    expect(reply.headers.get("x-context-compressed")).toBe("true");
  });

  it("lowers the limit if condensing does not make enough room", async () => {
    const messages = asMessages([{ role: "user", content: filler(1, 2_500) }]);
    const reply = await send(await rigWith({ keepOutputLimit: true }), { ...sending, messages });
    expect([reply.status, reply.headers.get("x-context-compressed")]).toEqual([200, null]);
    expect(Number(reply.headers.get("x-longhaul-max-tokens"))).toBeGreaterThan(1_000);
  });

  it("is off by default", async () => {
    const reply = await send(await rigWith({}), { ...sending, messages: asMessages(turn(12)) });
    expect([reply.status, reply.headers.get("x-context-compressed")]).toEqual([200, null]);
    expect(Number(reply.headers.get("x-longhaul-max-tokens"))).toBeGreaterThan(1_000);
  });
});

describe("DISABLE_CONTEXT_COMPRESSION", () => {
  it.each(["true", "1", "TRUE", "Yes", "on"])("%s goes before what profiles and routes say", async (value) => {
    const rig = await rigOf({
      ...settingsAt("by route", { mode: "on", strategy: "native" }),
      environment: { DISABLE_CONTEXT_COMPRESSION: value },
    });
    const answer = await rig.say(long);
    expect([answer.status, sentMessages(rig), rig.asks()]).toEqual([400, long, []]);
  });

  it.each(["false", "0", "", "no", "OFF"])("%j changes nothing", async (value) => {
    const rig = await rigOf({ environment: { DISABLE_CONTEXT_COMPRESSION: value } });
    expect((await rig.say(long)).headers.get("x-context-compressed")).toBe("true");
    expect(rig.log().filter(({ level }) => level >= 40)).toEqual([]);
  });

  it("changes nothing with any other value, with a warning at the start", async () => {
    const rig = await rigOf({ environment: { DISABLE_CONTEXT_COMPRESSION: "ja" } });
    expect(rig.log()[0]).toMatchObject({ level: 40, msg: expect.stringMatching(/"ja" and has no effect; use true, /) });
    expect((await rig.say(long)).headers.get("x-context-compressed")).toBe("true");
  });
});

describe("disabled features", () => {
  const SWITCHES: readonly [string, RigOptions, Record<string, string>][] = [
    ["for a request", {}, { "x-disable-compression": "true" }],
    ["for all", { environment: { DISABLE_CONTEXT_COMPRESSION: "1" } }, {}],
    ["by mode", { context: { mode: "off" } }, {}],
  ];

  it.each(SWITCHES)("%s lowers no limit and recovers from nothing", async (_, options, headers) => {
    const rig = await rigOf({ window: 6_000, maxOutput: 5_000, ...options });
    const sending = { wire: "openai-chat", model: "gpt-4o", headers, maxOutputTokens: 5_000 };
    const reply = await send(rig, { ...sending, messages: asMessages(turn(12)) });
    expect([reply.status, reply.headers.get("x-longhaul-max-tokens")]).toEqual([400, null]);
    expect(rig.simulator.requests().map(({ body }) => body)).toMatchObject([{ max_completion_tokens: 5_000 }]);
  });

  const CLIENTS = WIRES.map((wire) => [wire, DIALECTS[wire]] as const);

  it.each(CLIENTS)("an overflow still arrives in the words of %s", async (wire, words) => {
    const rig = await rigOf();
    // Each has another vendor.
    const model = wire === "anthropic-messages" ? "gpt-4o" : MODEL;
    const headers = { "x-disable-compression": "true" };
    const reply = await send(rig, { wire, model, headers, messages: asMessages(long) });
    expect([reply.status, rig.simulator.totals().requests]).toEqual([400, 1]);
    expect(JSON.parse(reply.bytes).error.message).toMatch(words);
  });
});

describe("parts that must stay and do not fit", () => {
  const WORDINGS = {
    "anthropic-messages": [/^prompt is too long: (\d+) tokens > 4000 maximum\./, "invalid_request_error"],
    "openai-chat": [
      /^This model's maximum context length is 4000 tokens\. However, your messages resulted in (\d+) tokens\./,
      "context_length_exceeded",
    ],
    "openai-responses": [/^Your input exceeds the context window of this model\./, "context_length_exceeded"],
    gemini: [
      /^The input token count \((\d+)\) exceeds the maximum number of tokens allowed \(4000\)\./,
      "INVALID_ARGUMENT",
    ],
  } as const;

  it.each(WIRES)(
    "are a 400 in the words that clients of %s recover from, with the part that is too large and by how much",
    async (wire) => {
      const rig = await rigOf();
      const messages = asMessages([
        ...turn(3),
        { role: "assistant", content: "Yes." },
        { role: "user", content: filler(1, 6_000) },
      ]);
      const reply = await send(rig, { wire, model: MODEL, messages });
      expect([reply.status, rig.simulator.totals().requests]).toEqual([400, 0]);
      const { error } = JSON.parse(reply.bytes);
      const [wording, code] = WORDINGS[wire];
      expect(error.message).toMatch(wording);
      expect([error.type, error.code, error.status]).toContain(code);
      expect(error.message).toMatch(
        /The parts of this request that cannot be condensed exceed the budget of 3400 tokens by \d+: system and tools take \d+ tokens, the last message \d+; shorten them, or use a model with a larger window\.$/,
      );
    },
  );
});
