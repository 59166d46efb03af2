import { openSimulator } from "@longhaul/simulator";
import { describe, expect, it, onTestFinished } from "vitest";
import { type CapturingUpstream, openCapturingUpstream } from "./capturing-upstream.ts";
import { asMessages, send, WIRES } from "./formats.ts";
import { filler, makeStorePath, openRig, turn as plainTurn, type Rig, type RigOptions } from "./rig.ts";

async function rigOf(options: RigOptions = {}): Promise<Rig> {
  const rig = await openRig({ ...options, simulator: { script: () => "say Noted.", ...options.simulator } });
  onTestFinished(rig.close);
  return rig;
}

/** The model that each format's own vendor has. */
const OWN_MODELS = {
  "anthropic-messages": "claude-sonnet-4-5",
  "openai-chat": "gpt-4o",
  "openai-responses": "gpt-4o",
  gemini: "gemini-2.5-flash",
} as const;

/** A turn of a session: each has one exchange more. */
const turn = (exchanges: number) => asMessages(plainTurn(exchanges));

const refusals = (rig: Rig) => rig.simulator.requests().map(({ rejected }) => rejected?.status ?? 200);

const VENDORS = WIRES.flatMap((wire) => [false, true].map((isStream) => [wire, isStream] as const));

describe("a window that is smaller than believed", () => {
  it.each(VENDORS)("%s (stream: %s): the client sees only answers, and the next turn knows", async (wire, isStream) => {
    const rig = await rigOf({ window: 4_000, believed: 12_000 });
    const model = OWN_MODELS[wire];
    const first = await send(rig, { wire, model, isStream, messages: turn(22) });
    expect([first.status, first.text], first.bytes).toEqual([200, "Noted."]);
    expect(first.headers.get("x-context-compressed")).toBe("true");
    const tries = refusals(rig).length;
    expect(refusals(rig).at(0)).toBe(400);
    expect(tries).toBeLessThanOrEqual(3);
    const second = await send(rig, { wire, model, isStream, messages: turn(23) });
    expect([second.status, second.text]).toEqual([200, "Noted."]);
    expect(refusals(rig).slice(tries)).toEqual([200]);
  });

  const PAIRS = WIRES.flatMap((wire) =>
    ["claude-sonnet-4-5", "gpt-4o", "gemini-2.5-flash"].map((model) => [wire, model] as const),
  ).filter(([wire, model]) => OWN_MODELS[wire] !== model);

  it.each(PAIRS)("a client of %s sees only answers of %s", async (wire, model) => {
    const rig = await rigOf({ window: 4_000, believed: 12_000 });
    const reply = await send(rig, { wire, model, isStream: true, messages: turn(22) });
    expect([reply.status, reply.text], reply.bytes).toEqual([200, "Noted."]);
    expect(refusals(rig).at(0)).toBe(400);
    expect(reply.headers.get("x-context-compressed")).toBe("true");
  });

  it("is that of the upstream that answers in the end", async () => {
    const small = await openSimulator({
      models: { "claude-sonnet-4-5": { window: 4_000, maxOutput: 1_000 } },
      script: () => "say Small.",
    });
    onTestFinished(small.close);
    const rig = await rigOf({
      window: 12_000,
      upstream: { maxRetries: 0 },
      config: { routes: [{ match: "*", upstream: ["anthropic", "small"] }] },
      more: { small: { kind: "anthropic", baseUrl: small.url, apiKey: "k", window: 4_000 } },
      simulator: { faults: [{ fault: "status=529", times: 9 }] },
    });
    const reply = await send(rig, { wire: "openai-chat", model: "claude-sonnet-4-5", messages: turn(22) });
    expect([reply.status, reply.text, reply.headers.get("x-context-compressed")]).toEqual([200, "Small.", "true"]);
    expect(small.totals()).toMatchObject({ requests: 1, rejected: 0 });
  });

  it("Responses say so inside a stream that began with 200", async () => {
    const rig = await rigOf({ window: 4_000, believed: 12_000 });
    const reply = await send(rig, { wire: "openai-responses", model: "gpt-4o", isStream: true, messages: turn(22) });
    expect(rig.simulator.requests()[0]).toMatchObject({
      isStream: true,
      rejected: { code: "context_length_exceeded" },
    });
    expect(reply.bytes).not.toContain("response.failed");
    expect(reply.text).toBe("Noted.");
  });

  it("is remembered over a restart", async () => {
    const rig = await rigOf({ window: 4_000, believed: 12_000, storePath: makeStorePath() });
    const sending = { wire: "anthropic-messages", model: "claude-sonnet-4-5" };
    await send(rig, { ...sending, messages: turn(22) });
    const before = refusals(rig);
    await rig.restart();
    // Another conversation: no epoch helps it.
    const other = [...asMessages([{ role: "user", content: filler(77, 50) }]), ...turn(22).slice(1)];
    expect((await send(rig, { ...sending, messages: other })).status).toBe(200);
    expect([before, refusals(rig).slice(before.length)]).toEqual([[400, 200], [200]]);
  });

  it("holds for one credential and one model", async () => {
    const rig = await rigOf({ window: 4_000, believed: 12_000, upstream: { apiKey: undefined } });
    const sending = { wire: "anthropic-messages", model: "claude-sonnet-4-5", messages: turn(22) };
    const tries = async (more: object) => {
      const before = refusals(rig).length;
      expect((await send(rig, { ...sending, ...more })).status).toBe(200);
      return refusals(rig).slice(before);
    };
    expect(await tries({ headers: { "x-api-key": "one" } })).toEqual([400, 200]);
    expect(await tries({ headers: { "x-api-key": "one" }, messages: turn(23) })).toEqual([200]);
    expect(await tries({ headers: { "x-api-key": "two" }, messages: turn(24) })).toEqual([400, 200]);
    expect(await tries({ headers: { "x-api-key": "one" }, model: "claude-opus-4-6" })).toEqual([400, 200]);
  });
});

describe("an upstream that counts differently", () => {
  const SKEWS = [
    ["35 % more", 1.18 * 1.35],
    ["35 % less", 1.18 * 0.65],
  ] as const;
  const cases = SKEWS.flatMap(([name, skew]) => WIRES.map((wire) => [name, wire, skew] as const));

  it.each(cases)("%s (%s): every turn is answered, and the count is learned", async (_, wire, skew) => {
    const rig = await rigOf({ simulator: { skew } });
    const statuses: number[] = [];
    for (let exchanges = 10; exchanges < 24; exchanges++) {
      statuses.push((await send(rig, { wire, model: OWN_MODELS[wire], messages: turn(exchanges) })).status);
    }
    expect(statuses).toEqual(statuses.map(() => 200));
    // Refused at most once: after that the count is right.
    expect(refusals(rig).filter((status) => status !== 200).length).toBeLessThanOrEqual(1);
  });
});

/** An upstream that says nothing but this. */
async function mute(status: number, body: string): Promise<CapturingUpstream> {
  const upstream = await openCapturingUpstream(status, body);
  onTestFinished(upstream.close);
  return upstream;
}

describe("an upstream that refuses whatever it gets", () => {
  const REFUSALS = {
    "anthropic-messages": `{ "type":"error",  "error":{"type":"invalid_request_error","message":"prompt is too long: 5000 tokens > 4000 maximum"},"request_id":"req_1" }\n`,
    "openai-chat": `{"error": {"message": "This model's maximum context length is 4000 tokens. However, your messages resulted in 5000 tokens. Please reduce the length of the messages.", "type": "invalid_request_error", "param": "messages", "code": "context_length_exceeded"}}\n`,
    "openai-responses": `{"error": {"message": "Your input exceeds the context window of this model.", "type": "invalid_request_error", "param": "input", "code": "context_length_exceeded"}}\n`,
    gemini: `{ "error": { "code": 400, "message": "The input token count (5000) exceeds the maximum number of tokens allowed (4000).", "status": "INVALID_ARGUMENT" } }\n`,
  } as const;

  it.each(WIRES)("%s: is asked three times, and its own error arrives byte for byte", async (wire) => {
    const upstream = await mute(400, REFUSALS[wire]);
    const baseUrl = wire.startsWith("openai") ? `${upstream.url}/v1` : upstream.url;
    const rig = await rigOf({ window: 8_000, upstream: { baseUrl } });
    const reply = await send(rig, { wire, model: OWN_MODELS[wire], messages: turn(22) });
    expect([reply.status, reply.bytes]).toEqual([400, REFUSALS[wire]]);
    expect(upstream.bodies).toHaveLength(3);
    const [first = 0, second = 0, third = 0] = upstream.bodies.map((body) => body.length);
    expect(second).toBeLessThan(first);
    expect(third).toBeLessThan(second);
  });

  const RATE_LIMITS = [
    [
      "openai-chat",
      429,
      "Request too large for gpt-4o in organization org-1 on tokens per min (TPM): Limit 3000, Requested 5200. The input or output tokens must be reduced in order to run successfully.",
    ],
    [
      "openai-chat",
      413,
      "Request too large for model `gpt-4o` on tokens per minute (TPM): Limit 3000, Requested 5200, please reduce your message size and try again.",
    ],
    // All but its second word are those of an overflow.
    [
      "openai-chat",
      429,
      "Rate limit reached, 5200 tokens > 3000 per minute. Please reduce the length of the messages or completion.",
    ],
    [
      "anthropic-messages",
      429,
      "This request would exceed your organization's rate limit of 3,000 input tokens per minute.",
    ],
  ] as const;

  it.each(RATE_LIMITS)(
    "%s: a tokens-per-minute error (%s) teaches nothing and changes nothing",
    async (wire, status, message) => {
      const upstream = await mute(
        status,
        JSON.stringify({ error: { type: "tokens", code: "rate_limit_exceeded", message } }),
      );
      const baseUrl = wire.startsWith("openai") ? `${upstream.url}/v1` : upstream.url;
      const rig = await rigOf({ window: 8_000, upstream: { baseUrl, maxRetries: 0 } });
      for (let again = 0; again < 2; again++) {
        const reply = await send(rig, { wire, model: OWN_MODELS[wire], messages: turn(22) });
        expect([reply.status, reply.headers.get("x-context-compressed")]).toEqual([status, null]);
        expect(reply.bytes).toContain("per min");
      }
      expect(new Set(upstream.bodies).size).toBe(1);
      expect(upstream.bodies).toHaveLength(2);
    },
  );
});

describe("a limit of the answer that does not fit beside the prompt", () => {
  it.each(VENDORS)("%s (stream: %s): is lowered, and a header says so", async (wire, isStream) => {
    const rig = await rigOf({ window: 6_000, maxOutput: 5_000, simulator: { skew: 1 } });
    const model = OWN_MODELS[wire];
    const reply = await send(rig, { wire, model, isStream, messages: turn(12), maxOutputTokens: 5_000 });
    expect([reply.status, reply.text], reply.bytes).toEqual([200, "Noted."]);
    expect(reply.headers.get("x-context-compressed")).toBeNull();
    const lowered = Number(reply.headers.get("x-longhaul-max-tokens"));
    expect(lowered).toBeGreaterThan(1_000);
    expect(lowered).toBeLessThan(4_500);
    expect(rig.simulator.totals()).toMatchObject({ requests: 1, rejected: 0 });
    expect(limitIn(rig.turns()[0]?.body)).toBe(lowered);
  });

  it("is lowered further where the upstream counts more than we do", async () => {
    const rig = await rigOf({ window: 6_000, maxOutput: 5_000, simulator: { skew: 1.35 } });
    const sending = { wire: "openai-chat", model: "gpt-4o", messages: turn(12), maxOutputTokens: 5_000 };
    const reply = await send(rig, sending);
    expect([reply.status, reply.text], reply.bytes).toEqual([200, "Noted."]);
    expect(refusals(rig)).toEqual([400, 200]);
    const [first, second] = rig.turns().map(({ body }) => limitIn(body) as number);
    expect(second).toBeLessThan(first ?? 0);
    expect(reply.headers.get("x-longhaul-max-tokens")).toBe(String(second));
    expect(reply.headers.get("x-context-compressed")).toBeNull();
  });

  it("of another format is lowered too", async () => {
    const rig = await rigOf({ window: 6_000, maxOutput: 5_000, simulator: { skew: 1 } });
    const sending = { wire: "anthropic-messages", model: "gpt-4o", messages: turn(12), maxOutputTokens: 5_000 };
    const reply = await send(rig, sending);
    expect(reply.status, reply.bytes).toBe(200);
    expect(limitIn(rig.turns()[0]?.body)).toBe(Number(reply.headers.get("x-longhaul-max-tokens")));
  });

  it("that fits is left alone", async () => {
    const rig = await rigOf({ window: 6_000, maxOutput: 5_000 });
    const reply = await send(rig, { wire: "openai-chat", model: "gpt-4o", messages: turn(12), maxOutputTokens: 500 });
    expect([reply.status, reply.headers.get("x-longhaul-max-tokens")]).toEqual([200, null]);
    expect(limitIn(rig.turns()[0]?.body)).toBe(500);
  });
});

function limitIn(body: unknown): unknown {
  const { max_tokens, max_completion_tokens, max_output_tokens, generationConfig } = body as Record<string, unknown>;
  const nested = (generationConfig as { maxOutputTokens?: number } | undefined)?.maxOutputTokens;
  return max_tokens ?? max_completion_tokens ?? max_output_tokens ?? nested;
}

describe("an answer that ends because the window is full", () => {
  const CLIENTS = ["anthropic-messages", "openai-chat"].flatMap((wire) =>
    [false, true].map((isStream) => [wire, isStream] as const),
  );

  it.each(CLIENTS)("is in the log (%s, stream: %s)", async (wire, isStream) => {
    const rig = await rigOf({ context: { mode: "off" }, simulator: { script: () => "endless" } });
    const sending = { wire, model: "claude-sonnet-4-5", isStream, messages: turn(12), maxOutputTokens: 1_000 };
    expect((await send(rig, sending)).status).toBe(200);
    expect((await send(rig, { ...sending, messages: turn(2) })).status).toBe(200);
    const finished = rig.log().filter(({ msg }) => msg === "request finished");
    expect(finished.map(({ isWindowExceeded }) => isWindowExceeded)).toEqual([true, undefined]);
  });
});
