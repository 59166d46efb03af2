import type { Request } from "@longhaul/conversation/advanced";
import { codecNamed } from "@longhaul/wire";
import { describe, expect, it, onTestFinished } from "vitest";
import { asMessages, send } from "./formats.ts";
import { MODEL, openRig, type Rig, type RigOptions, talk, turn } from "./rig.ts";

async function rigOf(options: RigOptions = {}): Promise<Rig> {
  const rig = await openRig(options);
  onTestFinished(rig.close);
  return rig;
}

/** Far over every trigger of a window of 4,000 tokens. */
const LONG = turn(30);
const SHORT = turn(3);
/** The target there: 70 % of the trigger, which is 90 % of the window less a fifth for the answer. */
const AIM = 1_959;

/** Formats that have a way to count, each with a model of its own vendor and one of another. */
const CASES = [
  ["anthropic-messages", MODEL],
  ["anthropic-messages", "gpt-4o"],
  ["openai-responses", "gpt-4o"],
  ["openai-responses", MODEL],
  ["gemini", "gemini-2.5-flash"],
  ["gemini", MODEL],
] as const;

interface Counting {
  readonly wire: string;
  readonly model: string;
  readonly messages: readonly object[];
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether Gemini gets the request one level down. */
  readonly isWrapped?: boolean;
}

async function count(rig: Rig, { wire, model, messages, headers = {}, isWrapped = false }: Counting): Promise<number> {
  const conversation = { system: [], tools: [], messages: asMessages(messages) };
  const request: Request = { model, stream: false, sampling: {}, conversation };
  const { body } = codecNamed(wire).encodeRequest(request, { model });
  const { model: _model, stream: _stream, store: _store, max_tokens: _max, ...prompt } = body;
  const named = wire === "gemini" ? prompt : { model, ...prompt };
  const sent = isWrapped ? { generateContentRequest: { model: `models/${model}`, ...prompt } } : named;
  const { status, text } = await rig.post(pathOf(wire, model), sent, headers);
  expect(status, text).toBe(200);
  const { input_tokens: tokens, totalTokens = tokens } = JSON.parse(text);
  return totalTokens;
}

function pathOf(wire: string, model: string): string {
  if (wire === "gemini") return `/v1beta/models/${model}:countTokens`;
  return wire === "openai-responses" ? "/v1/responses/input_tokens" : "/v1/messages/count_tokens";
}

/** The prompt of the latest turn, as the upstream counted it. */
function sentTokens(rig: Rig): number {
  const { inputTokens = 0, cacheReadTokens = 0, cacheWriteTokens = 0 } = rig.turns().at(-1) ?? {};
  return inputTokens + cacheReadTokens + cacheWriteTokens;
}

describe.each(CASES)("a client of %s that counts for %s", (wire, model) => {
  it("gets the size of the condensed prompt if its conversation was condensed", async () => {
    const rig = await rigOf();
    const reply = await send(rig, { wire, model, messages: asMessages(LONG) });
    expect([reply.status, reply.headers.get("x-context-compressed")]).toEqual([200, "true"]);
    const sent = sentTokens(rig);
    const requests = rig.simulator.totals().requests;
    const counted = await count(rig, { wire, model, messages: LONG });
    expect(Math.abs(counted - sent) / sent).toBeLessThan(0.02);
    expect(rig.simulator.totals().requests).toBe(requests);
  });

  it("gets what a condensation aims at before there is one, and causes none", async () => {
    const rig = await rigOf();
    const [counted, again] = [
      await count(rig, { wire, model, messages: LONG }),
      await count(rig, { wire, model, messages: LONG }),
    ];
    expect([counted, again]).toEqual([AIM, AIM]);
    expect(rig.simulator.totals().requests).toBe(0);
    expect(rig.log().filter(({ msg }) => msg !== "request finished")).toEqual([]);
    const reply = await send(rig, { wire, model, messages: asMessages(LONG) });
    expect(reply.headers.get("x-longhaul-context")).toBe("new");
  });

  it.each<[string, RigOptions, Record<string, string>]>([
    ["the operator", { context: { mode: "off" } }, {}],
    ["the operator, who only watches,", { context: { mode: "observe" } }, {}],
    ["the environment", { environment: { DISABLE_CONTEXT_COMPRESSION: "true" } }, {}],
    ["a strategy that never condenses", { context: { strategy: "full-history" } }, {}],
    ["the client", {}, { "x-disable-compression": "true" }],
  ])("gets the size of what it says where %s leaves that alone", async (_, options, headers) => {
    const rig = await rigOf(options);
    const long = await count(rig, { wire, model, messages: LONG, headers });
    const short = await count(rig, { wire, model, messages: SHORT, headers });
    expect(long / short).toBeGreaterThan(7);
  });
});

it.each(CASES.filter((_, index) => index % 2 === 0))(
  "asks the upstream if a prompt of %s is forwarded to %s unchanged",
  async (wire, model) => {
    const rig = await rigOf();
    await count(rig, { wire, model, messages: SHORT });
    expect(rig.simulator.requests().map(({ path }) => path)).toEqual([pathOf(wire, model)]);
  },
);

it("counts a request of Gemini's clients one level down as it would be sent, too", async () => {
  const rig = await rigOf();
  const wire = "gemini";
  const model = "gemini-2.5-flash";
  expect(await count(rig, { wire, model, messages: LONG, isWrapped: true })).toBe(AIM);
  await send(rig, { wire, model, messages: asMessages(LONG) });
  const sizes = [
    await count(rig, { wire, model, messages: LONG, isWrapped: true }),
    await count(rig, { wire, model, messages: LONG }),
  ];
  expect(sizes[0]).toBe(sizes[1]);
});

it("counts what a Responses upstream keeps where that is kept", async () => {
  const rig = await rigOf();
  const first = await rig.post("/v1/responses", { model: "gpt-4o", input: "Hello." });
  const { id } = JSON.parse(first.text);
  const body = { model: "gpt-4o", input: talk(30), previous_response_id: id };
  const { text } = await rig.post("/v1/responses/input_tokens", body);
  expect(JSON.parse(text).input_tokens).toBeGreaterThan(4_000);
});
