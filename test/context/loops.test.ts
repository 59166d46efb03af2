import { type Block, type Message, type Request, textBlock, textMessage } from "@longhaul/conversation/advanced";
import { BUILT_IN_PRESETS } from "@longhaul/settings";
import type { SimulatorOptions } from "@longhaul/simulator";
import { codecNamed } from "@longhaul/wire";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pathOf, replyIn, WIRES } from "./formats.ts";
import { filler, openRig, type Rig } from "./rig.ts";

/** The strategies that condense, and the built-in presets: each puts its summaries in roles of its own. */
const WAYS = [
  ...["smart", "native", "lossless", "truncation", "sandwich", "tree-summary", "middle-out", "sliding-window"].map(
    (strategy) => ({ name: strategy, context: { strategy } }),
  ),
  ...BUILT_IN_PRESETS.map(({ name, strategy, config }) => ({ name, context: { strategy, config } })),
];

/** One model for each generation that differs in what it takes: system messages, thinking, signatures. */
const MODELS = [
  "claude-haiku-4-5",
  "claude-sonnet-4-5",
  "claude-opus-4-6",
  "claude-opus-4-7",
  "claude-opus-4-8",
  "claude-opus-5",
  "claude-sonnet-5-5",
  "gpt-4o",
  "gpt-5",
  "gemini-2.5-flash",
  "gemini-3.5-flash",
];

/** How the client writes the model's name, and what the route makes of it. */
const NAMES = [
  { name: "as it is", of: (model: string) => model },
  { name: "with a reasoning suffix", of: (model: string) => `${model}:high` },
  { name: "renamed by the route", of: (model: string) => `alias-${model}` },
  { name: "with the vendor before it", of: (model: string) => `${vendorOf(model)}/${model}` },
];

function vendorOf(model: string): string {
  if (model.startsWith("claude")) return "anthropic";
  return model.startsWith("gpt") ? "openai" : "google";
}

function kindOf(model: string): string {
  return vendorOf(model) === "google" ? "gemini" : vendorOf(model);
}

/** An agent that reads one file after the other and never finishes. */
const READS_ON: NonNullable<SimulatorOptions["script"]> = ({ tools: [first] }) =>
  first && { thinkTokens: 30, calls: [{ name: first.name, input: { path: "src/{step}.ts" } }], times: 1_000 };

const WINDOW = 12_000;
const MAX_OUTPUT = 3_000;
/** Each result takes about a quarter of the window. */
const RESULT_WORDS = 1_800;
const MAX_TURNS = 30;

const LIMITS = Object.fromEntries(MODELS.map((id) => [id, { window: WINDOW, maxOutput: MAX_OUTPUT }]));

/** Routes for every way to write a model's name. */
const ROUTES = [
  ...MODELS.map((model) => ({ match: `alias-${model}`, upstream: kindOf(model), model })),
  ...["claude", "gpt", "gemini"].flatMap((family) =>
    ["", "anthropic/", "openai/", "google/"].map((vendor) => ({
      match: `${vendor}${family}-*`,
      upstream: kindOf(family),
    })),
  ),
];

/** How a session ended, and how often it was condensed on the way. */
interface Ended {
  readonly status: number;
  readonly said: string;
  readonly condensed: number;
  readonly turns: number;
}

/** Plays a tool loop until it was condensed twice. */
async function play(
  rig: Rig,
  { model, wire, isStream }: { model: string; wire: string; isStream: boolean },
): Promise<Ended> {
  const codec = codecNamed(wire);
  const messages: Message[] = [textMessage("user", `Read all files for ${model} and ${wire}, one by one.`)];
  let condensed = 0;
  for (let turns = 1; ; turns++) {
    const request: Request = {
      model,
      stream: isStream,
      sampling: {},
      maxOutputTokens: 2_500,
      conversation: { system: [textBlock("You are careful.")], tools: [READ], messages },
    };
    const { body } = codec.encodeRequest(request, { model });
    const answer = await rig.post(pathOf({ model, wire, isStream }), { ...body, ...OWN_FIELDS.get(wire) });
    if (answer.headers.get("x-longhaul-context") === "new") condensed++;
    const isOver = answer.status !== 200 || condensed === 2 || turns === MAX_TURNS;
    if (isOver) return { status: answer.status, said: answer.status === 200 ? "" : answer.text, condensed, turns };
    const { blocks } = replyIn(wire, isStream, answer.text);
    messages.push({ role: "assistant", blocks }, answerTo(blocks, turns));
  }
}

/** Clients of the Responses API that keep nothing at the server ask for their reasoning sealed. */
const OWN_FIELDS = new Map([["openai-responses", { store: false, include: ["reasoning.encrypted_content"] }]]);

const READ = {
  name: "read",
  description: "Reads a file.",
  kind: "function",
  inputSchema: { type: "object", properties: { path: { type: "string" } } },
} as const;

function answerTo(blocks: readonly Block[], turns: number): Message {
  const results = blocks.flatMap((block) =>
    block.type === "tool-call"
      ? [
          {
            type: "tool-result" as const,
            callId: block.id,
            name: block.name,
            content: [textBlock(`File ${turns}: ${filler(turns, RESULT_WORDS)}`)],
            isError: false,
          },
        ]
      : [],
  );
  return results.length === 0 ? textMessage("user", "Go on.") : { role: "user", blocks: results };
}

/** How many models play for one strategy and one way to write the name. */
const MODELS_AT_ONCE = 7;

/** Strategies, names, models and formats take turns, so that any two of them meet. */
const SESSIONS = WAYS.flatMap((way, first) =>
  NAMES.flatMap((name, second) =>
    Array.from({ length: MODELS_AT_ONCE }, (_, third) => {
      const turn = first + second * MODELS_AT_ONCE + third;
      const model = name.of(MODELS[turn % MODELS.length] ?? "");
      const wire = WIRES[(turn + second) % WIRES.length] ?? "";
      return { way: way.name, named: name.name, model, wire, isStream: (first + third) % 2 === 0 };
    }),
  ),
);

describe.each(WAYS)("$name", ({ name, context }) => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await openRig({
      context,
      window: WINDOW,
      maxOutput: MAX_OUTPUT,
      simulator: { models: LIMITS, script: READS_ON },
      config: { routes: ROUTES, models: LIMITS },
    });
  });
  afterAll(() => rig.close());

  it.each(NAMES)("keeps every tool loop alive until it was condensed twice, the model named $name", async (named) => {
    const sessions = SESSIONS.filter((session) => session.way === name && session.named === named.name);
    const ended = await Promise.all(sessions.map(async (session) => ({ ...session, ...(await play(rig, session)) })));
    expect(ended.filter(({ status, condensed }) => status !== 200 || condensed < 2)).toEqual([]);
  });
});

it("plays at least 300 sessions, each strategy in each format and each model with each name", () => {
  expect(SESSIONS.length).toBeGreaterThanOrEqual(300);
  const met = (keys: readonly (keyof (typeof SESSIONS)[number])[]) =>
    new Set(SESSIONS.map((session) => keys.map((key) => session[key]).join(" "))).size;
  expect(met(["way", "wire"])).toBe(WAYS.length * WIRES.length);
  expect(met(["model"])).toBe(MODELS.length * NAMES.length);
  expect(met(["way", "model"])).toBe(SESSIONS.length);
});
