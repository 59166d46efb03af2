import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@longhaul/conversation/advanced";
import type { RecordedRequest } from "@longhaul/simulator";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { anthropicClient } from "../conformance/anthropic-client.ts";
import { chatClient } from "../conformance/chat-client.ts";
import type { Client } from "../conformance/client.ts";
import { geminiClient } from "../conformance/gemini-client.ts";
import { responsesClient } from "../conformance/responses-client.ts";
import { type GatewaySettings, openRig, type Rig } from "./rig.ts";

let rig: Rig;
beforeAll(async () => {
  rig = await openRig();
});
beforeEach(() => rig.simulator.reset());
afterAll(() => rig.close());

const CLIENTS = {
  messages: anthropicClient,
  chat: chatClient,
  responses: responsesClient,
  gemini: geminiClient,
} as const;
type ClientName = keyof typeof CLIENTS;

async function clientOf(name: ClientName, settings: GatewaySettings): Promise<Client> {
  return CLIENTS[name]((await rig.gateway(settings)).url);
}

/** Models of each vendor, with a suffix, and how their requests show that they think. */
const MODELS = [
  { upstream: "anthropic", model: "claude-sonnet-4-5:4k", says: '"budget_tokens":4096' },
  { upstream: "anthropic", model: "claude-opus-4-7:high", says: '"effort":"high"' },
  { upstream: "openai", model: "o4-mini:high", says: '"effort":"high"' },
  { upstream: "gemini", model: "gemini-2.5-flash:4k", says: '"thinkingBudget":4096' },
  { upstream: "gemini", model: "gemini-3.5-flash:high", says: '"thinkingLevel":"HIGH"' },
  { upstream: "bedrock", model: "claude-sonnet-4-5:4k", says: '"budget_tokens":4096' },
  { upstream: "vertex", model: "claude-sonnet-4-5@20250929:4k", says: '"budget_tokens":4096' },
  { upstream: "vertex", model: "gemini-3.5-flash:low", says: '"thinkingLevel":"LOW"' },
] as const;

const THREE_TURNS =
  'simulate: think 60\nsimulate: call read {"path":"{step}.ts"}\nsimulate: times 3\nsimulate: say Thought through.';
const ROUNDS = ["1", "2", "3"].map((step) => [{ name: "read", input: { path: `${step}.ts` } }]);

const cases = MODELS.flatMap((model) =>
  (["messages", "chat", "responses", "gemini"] as const).flatMap((client) =>
    [true, false].map(
      (stream) =>
        [client, model.upstream, model.model, stream ? "streaming" : "whole", { ...model, client, stream }] as const,
    ),
  ),
);

describe.each(cases)("the %s client on %s, %s, %s", (_, __, ___, ____, { client, upstream, model, says, stream }) => {
  it("gets the reasoning with the answer, and it counts", async () => {
    const sdk = await clientOf(client, { upstream });
    const outcome = await sdk.run({ model, stream, prompt: "simulate: think 60\nsimulate: say Done." });
    expect(outcome.text).toBe("Done.");
    // Native clients of OpenAI get a summary only where they ask for one.
    if (upstream !== "openai" || client !== "responses") expect(outcome.thinking).not.toBe("");
    const [request] = turns();
    expect(outcome.outputTokens).toBe(request?.outputTokens);
    expect(request?.thinkingTokens).toBeGreaterThan(0);
  });

  it("thinks in each of three turns of a tool loop, with all proofs intact", async () => {
    const sdk = await clientOf(client, { upstream });
    const outcome = await sdk.run({ model, stream, prompt: THREE_TURNS, tools: ["read"] });
    expect([outcome.rounds, outcome.text]).toEqual([ROUNDS, "Thought through."]);
    const requests = turns();
    expect(requests.map(({ body }) => JSON.stringify(body).includes(says))).toEqual([true, true, true, true]);
    expect(requests.map(({ rejected }) => rejected)).toEqual([undefined, undefined, undefined, undefined]);
    expect(proofsIn(requests.at(-1))).toBe(3);
  });
});

describe.each(["messages", "responses", "gemini"] as const)("the %s client on openrouter", (client) => {
  it.each([true, false])("thinks in each of three turns of a tool loop (streaming: %s)", async (stream) => {
    const sdk = await clientOf(client, { upstream: "openrouter" });
    const model = "anthropic/claude-sonnet-4.5:4k";
    const outcome = await sdk.run({ model, stream, prompt: THREE_TURNS, tools: ["read"] });
    expect([outcome.rounds, outcome.text]).toEqual([ROUNDS, "Thought through."]);
    const details = turns().map(({ body }) => JSON.stringify(body).match(/"reasoning_details"/g)?.length ?? 0);
    expect(details).toEqual([0, 1, 2, 3]);
  });
});

function turns(): readonly RecordedRequest[] {
  return rig.simulator.requests().filter(({ model }) => model !== undefined);
}

const PROOFS = new Set(["signature", "encrypted_content", "thoughtSignature"]);

/** How many proofs of reasoning a request carries, each once. */
function proofsIn(request: RecordedRequest | undefined): number {
  const found = new Set<string>();
  const look = (value: JsonValue): void => {
    if (isJsonArray(value)) value.forEach(look);
    else if (isJsonObject(value)) lookInto(value);
  };
  const lookInto = (object: JsonObject): void => {
    for (const [name, value] of Object.entries(object)) {
      if (PROOFS.has(name) && typeof value === "string") found.add(value);
      else look(value);
    }
  };
  look(JSON.parse(JSON.stringify(request?.body ?? null)));
  return found.size;
}

describe.each(["messages", "chat", "responses", "gemini"] as const)(
  "reasoning that is excluded, for the %s client",
  (client) => {
    const environment = { REASONING_EXCLUDE: "true" };

    it.each(MODELS.flatMap(({ upstream, model }) => [true, false].map((stream) => [upstream, model, stream] as const)))(
      "on %s, %s (streaming: %s)",
      async (upstream, model, stream) => {
        const sdk = await clientOf(client, { upstream, environment });
        const outcome = await sdk.run({ model, stream, prompt: THREE_TURNS, tools: ["read"] });
        expect(outcome).toMatchObject({ rounds: ROUNDS, text: "Thought through.", thinking: "" });
        expect(proofsIn(turns().at(-1))).toBe(3);
      },
    );
  },
);
