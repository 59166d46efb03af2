import { sealSummary } from "@longhaul/fit";
import { type Handler, json, openUpstream } from "@longhaul/fit/testing";
import type { CondensationEvent } from "@longhaul/store";
import { afterEach, describe, expect, it } from "vitest";
import { makeMemory } from "../testing/memory.ts";
import { ask } from "../testing/serve.ts";
import { makeSnapshot } from "../testing/snapshot.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** One upstream that everything is routed to. */
async function serving(upstream: Readonly<Record<string, unknown>>, ...handlers: Handler[]) {
  const server = await openUpstream(...handlers);
  const baseUrl = upstream.kind === "anthropic" ? server.url : `${server.url}/v1`;
  const snapshot = makeSnapshot({
    upstreams: { up: { baseUrl, apiKey: "k", maxRetries: 0, ...upstream } },
    routes: [{ match: "*", upstream: "up" }],
  });
  closers.push(server.close, snapshot.close);
  return { ...server, snapshot };
}

const SUMMARY = "The user asked for a harbour with a lantern and for a meadow, and all of it was drawn.";
const WORDS = "A harbour with a lantern, a meadow with thistles, and a canyon with an orchard behind it. ".repeat(20);

/** A model that answers every ask with the summary. */
const summarizing = json({
  type: "message",
  id: "msg_1",
  role: "assistant",
  model: "claude-sonnet-4-5",
  content: [{ type: "text", text: SUMMARY }],
  stop_reason: "end_turn",
  usage: { input_tokens: 900, output_tokens: 30, cache_read_input_tokens: 100 },
});

const INPUT = [
  { role: "developer", content: "Draw." },
  { type: "message", role: "user", content: `Please draw this: ${WORDS}`, id: "msg_own" },
  { type: "function_call", call_id: "c1", name: "draw", arguments: "{}" },
  { type: "function_call_output", call_id: "c1", output: `drawn: ${WORDS}` },
  { type: "message", role: "assistant", content: [{ type: "output_text", text: "Done.", annotations: [] }] },
  { role: "user", content: [{ type: "input_text", text: "And a falcon." }] },
];

const BODY = { model: "claude-sonnet-4-5", input: INPUT };
const PATH = "/v1/responses/compact";

describe("compact", () => {
  it("returns the user's messages and one sealed summary", async () => {
    const { snapshot, seen } = await serving({ kind: "anthropic" }, summarizing);
    const { status, text } = await ask(snapshot, PATH, BODY, { id: "lh_7" });
    expect([status, JSON.parse(text)]).toEqual([
      200,
      {
        id: "resp_7",
        object: "response.compaction",
        created_at: 1_000,
        output: [
          {
            id: "msg_own",
            type: "message",
            status: "completed",
            role: "user",
            content: [{ type: "input_text", text: `Please draw this: ${WORDS}` }],
          },
          {
            id: "msg_7_1",
            type: "message",
            status: "completed",
            role: "user",
            content: [{ type: "input_text", text: "And a falcon." }],
          },
          { id: "cmp_7", type: "compaction", encrypted_content: sealSummary(SUMMARY) },
        ],
        usage: {
          input_tokens: 1_000,
          input_tokens_details: { cached_tokens: 100, cache_write_tokens: 0 },
          output_tokens: 30,
          output_tokens_details: { reasoning_tokens: 0 },
          total_tokens: 1_030,
        },
      },
    ]);
    expect(seen).toHaveLength(1);
    expect(seen[0]?.path).toBe("/v1/messages");
  });

  it("records the cost of the summary", async () => {
    const { snapshot } = await serving({ kind: "anthropic" }, summarizing);
    const events: CondensationEvent[] = [];
    const observer = { finished: () => {}, condensed: (event: CondensationEvent) => void events.push(event) };
    await ask(snapshot, PATH, BODY, { observer, id: "lh_7" });
    // 900 input, 100 cached and 30 output tokens of Claude Sonnet 4.5.
    const costUsd = (900 * 3 + 100 * 0.3 + 30 * 15) / 1e6;
    expect(events).toMatchObject([{ requestId: "lh_7", strategy: "compaction", costUsd: expect.closeTo(costUsd, 8) }]);
  });

  it("treats a plain string as a user message", async () => {
    const { snapshot } = await serving({ kind: "anthropic" }, summarizing);
    const { text } = await ask(snapshot, PATH, { ...BODY, input: WORDS });
    expect(JSON.parse(text).output[0]).toMatchObject({ role: "user", content: [{ type: "input_text", text: WORDS }] });
  });

  it("updates an earlier summary and does not list it", async () => {
    const { snapshot, seen } = await serving({ kind: "anthropic" }, summarizing);
    const earlier = { type: "compaction", encrypted_content: sealSummary("Once there was a compass.") };
    const { text } = await ask(snapshot, PATH, { ...BODY, input: [earlier, ...INPUT] });
    expect(JSON.parse(text).output.map(({ type }: { type: string }) => type)).toEqual([
      "message",
      "message",
      "compaction",
    ]);
    expect(seen[0]?.body).toContain("An earlier summary precedes the messages");
    expect(seen[0]?.body.split("Once there was a compass.")).toHaveLength(2);
  });

  it("works without a model if none answers", async () => {
    const { snapshot } = await serving({ kind: "anthropic" }, json({ error: { message: "no" } }, 500));
    const { status, text } = await ask(snapshot, PATH, BODY);
    const { output, usage } = JSON.parse(text);
    expect([status, output.length, usage.total_tokens]).toEqual([200, 3, 0]);
    expect(output[2].encrypted_content.length).toBeGreaterThan(100);
  });

  it("includes an earlier response", async () => {
    const { snapshot, seen } = await serving({ kind: "anthropic" }, summarizing);
    const memory = await makeMemory();
    const said = { model: BODY.model, input: "Remember the saddle." };
    const { id } = JSON.parse((await ask(snapshot, "/v1/responses", said, { memory })).text);
    const { text } = await ask(snapshot, PATH, { ...BODY, previous_response_id: id }, { memory });
    expect(JSON.parse(text).output).toHaveLength(4);
    expect(seen[1]?.body).toContain("Remember the saddle.");
  });
});

it.each([
  [{ kind: "openai-compatible" }, 404, 200],
  [{ kind: "openai" }, 501, 200],
  [{ kind: "openai" }, 405, 200],
  [{ kind: "openai" }, 404, 404],
])("an upstream %j that answers a compaction with %d leads to %d", async (upstream, theirs, ours) => {
  const { snapshot } = await serving(upstream, json({ error: { message: "no" } }, theirs));
  expect((await ask(snapshot, PATH, { ...BODY, model: "gpt-4o" })).status).toBe(ours);
});

it("compacts in the gateway if a Responses server refuses the trigger", async () => {
  const refusal = { error: { message: "Invalid value: 'compaction_trigger'.", type: "invalid_request_error" } };
  const { snapshot, seen } = await serving({ kind: "openai" }, json(refusal, 400), json(refusal, 500));
  const input = [...INPUT, { type: "compaction_trigger" }];
  const { status, text } = await ask(snapshot, "/v1/responses", { model: "gpt-5", input });
  expect([status, JSON.parse(text).output]).toMatchObject([200, [{ type: "compaction" }]]);
  expect(seen.map(({ body }) => body.includes("compaction_trigger"))).toEqual([true, false]);
});
