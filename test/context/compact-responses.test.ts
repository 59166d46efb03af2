import OpenAI from "openai";
import { describe, expect, it, onTestFinished } from "vitest";
import { filler, MODEL, openRig, type Rig, type RigOptions } from "./rig.ts";

type Items = OpenAI.Responses.ResponseInputItem[];

/** OpenAI's SDK on a rig. */
async function openSdk(options: RigOptions = { window: 20_000 }): Promise<{ rig: Rig; sdk: OpenAI }> {
  const rig = await openRig(options);
  onTestFinished(rig.close);
  return { rig, sdk: new OpenAI({ baseURL: `${rig.gateway.url}/v1`, apiKey: "client", maxRetries: 0 }) };
}

/** A session of so many rounds, each with a tool's long answer. */
function session(rounds: number, words = 150): Items {
  return Array.from(
    { length: rounds },
    (_, index): Items => [
      { role: "user", content: `Request ${index} is about the lantern.` },
      { type: "function_call", call_id: `c${index}`, name: "look", arguments: `{"at":${index}}` },
      { type: "function_call_output", call_id: `c${index}`, output: `Seen ${index}: ${filler(index, words)}` },
      { role: "assistant", content: `Finding ${index}.` },
    ],
  ).flat();
}

/** The result of a compaction, as the client sends it back. */
function goOn({ output }: OpenAI.Responses.CompactedResponse, words: string): Items {
  return [...(output as Items), { role: "user", content: words }];
}

/** The latest request that reached a model. */
function lastSent({ simulator }: Rig): string {
  return JSON.stringify(simulator.requests().at(-1)?.body);
}

const HEADING = "Summary of the conversation so far:";

async function say(sdk: OpenAI, body: { model: string; input: Items }, isStream: boolean): Promise<string> {
  if (!isStream) return (await sdk.responses.create(body)).output_text;
  return (await sdk.responses.stream(body).finalResponse()).output_text;
}

describe.each([MODEL, "gemini-2.5-flash"])("a session on %s that OpenAI's SDK compacts", (model) => {
  it.each([false, true])("goes on from the user's words and a summary (streamed: %s)", async (isStream) => {
    const { rig, sdk } = await openSdk();
    const compacted = await sdk.responses.compact({ model, input: session(12) });
    expect(compacted).toMatchObject({ object: "response.compaction", id: expect.stringMatching(/^resp_/) });
    expect(compacted.output.map(({ type }) => type)).toEqual([...Array(12).fill("message"), "compaction"]);
    expect(rig.asks()).toHaveLength(1);
    expect(compacted.usage.total_tokens).toBeGreaterThan(1_000);
    expect(await say(sdk, { model, input: goOn(compacted, "And the harbour?") }, isStream)).not.toBe("");
    const sent = lastSent(rig);
    for (const part of ["Request 0", "Request 11", HEADING, "And the harbour?"]) expect(sent).toContain(part);
    for (const gone of ["Seen 3:", "Finding 3.", "compaction"]) expect(sent).not.toContain(gone);
    expect(sent.split(HEADING)).toHaveLength(2);
    expect(rig.simulator.totals().rejected).toBe(0);
  });

  it("is compacted again with its first summary brought up to date", async () => {
    const { rig, sdk } = await openSdk();
    const first = await sdk.responses.compact({ model, input: session(8) });
    const again = await sdk.responses.compact({ model, input: [...(first.output as Items), ...session(4)] });
    expect(again.output.filter(({ type }) => type === "compaction")).toHaveLength(1);
    expect(again.output).toHaveLength(13);
    expect(rig.asks()).toHaveLength(2);
    expect(JSON.stringify(rig.asks()[1]?.body)).toContain("An earlier summary precedes the messages");
    await say(sdk, { model, input: goOn(again, "And now?") }, false);
    expect(lastSent(rig).split(HEADING)).toHaveLength(2);
  });

  it("is compacted where it has outgrown the window, and goes on", async () => {
    const { rig, sdk } = await openSdk({ window: 4_000 });
    const compacted = await sdk.responses.compact({ model, input: session(60) });
    expect(await say(sdk, { model, input: goOn(compacted, "And the harbour?") }, false)).not.toBe("");
    expect(lastSent(rig)).toContain("And the harbour?");
  });

  it("is compacted without a model where none answers", async () => {
    const { rig, sdk } = await openSdk({
      window: 20_000,
      upstream: { maxRetries: 0 },
      simulator: { faults: [{ fault: "status=500", times: 99 }] },
    });
    const compacted = await sdk.responses.compact({ model, input: session(12) });
    expect(compacted.usage.total_tokens).toBe(0);
    const [line] = await rig.logged("summary written");
    expect(line).toMatchObject({ writer: { kind: "offline" } });
  });
});

it("a session goes over to OpenAI's own API, which compacts by itself", async () => {
  const { rig, sdk } = await openSdk();
  const ours = await sdk.responses.compact({ model: MODEL, input: session(8) });
  await say(sdk, { model: "gpt-4o", input: goOn(ours, "And the harbour?") }, false);
  expect(lastSent(rig)).toContain(HEADING);
  const theirs = await sdk.responses.compact({ model: "gpt-4o", input: goOn(ours, "And the meadow?") });
  expect(rig.simulator.requests().at(-1)?.path).toBe("/v1/responses/compact");
  expect(theirs.output.at(-1)).toMatchObject({ encrypted_content: expect.stringMatching(/^gAAAA/) });
  expect(rig.simulator.totals().rejected).toBe(0);
});

it("what only OpenAI can read is refused by name elsewhere", async () => {
  const { sdk } = await openSdk();
  const theirs = await sdk.responses.compact({ model: "gpt-4o", input: session(4) });
  const going = say(sdk, { model: MODEL, input: goOn(theirs, "And the harbour?") }, false);
  await expect(going).rejects.toMatchObject({ status: 400, message: expect.stringContaining("only openai can read") });
});

/** Models of four kinds of upstream. */
const TRIGGERED = [MODEL, "gemini-2.5-flash", "local-model", "gpt-4o"];

/** A server of chat completions beside the usual three. */
async function openTriggered() {
  const { rig: plain } = await openSdk();
  const { rig, sdk } = await openSdk({
    window: 20_000,
    more: { local: { kind: "openai-compatible", baseUrl: `${plain.simulator.url}/v1`, apiKey: "k" } },
    config: {
      routes: [
        { match: "claude-*", upstream: "anthropic" },
        { match: "gpt-*", upstream: "openai" },
        { match: "gemini-*", upstream: "gemini" },
        { match: "local-model", upstream: "local", model: "gpt-4o" },
      ],
    },
  });
  return { rig, sdk };
}

/** Returns the request that Codex sends to have its history compacted. */
function triggered(model: string, input: Items): { model: string; input: Items; store: boolean } {
  return { model, store: false, input: [...input, { type: "compaction_trigger" } as unknown as Items[number]] };
}

describe.each(TRIGGERED)("a compaction trigger at the end of the input for %s", (model) => {
  it.each([false, true])("is answered with exactly one compaction item (streamed: %s)", async (isStream) => {
    const { sdk } = await openTriggered();
    const body = triggered(model, session(12));
    const answer = isStream ? await sdk.responses.stream(body).finalResponse() : await sdk.responses.create(body);
    expect(answer.status).toBe("completed");
    expect(answer.output).toMatchObject([{ type: "compaction", encrypted_content: expect.any(String) }]);
    expect(answer.usage?.input_tokens).toBeGreaterThan(1_000);
  });

  it("sends the item in an event of its own, before the response is completed", async () => {
    const { sdk } = await openTriggered();
    const events: OpenAI.Responses.ResponseStreamEvent[] = [];
    for await (const event of await sdk.responses.create({ ...triggered(model, session(12)), stream: true }))
      events.push(event);
    const done = events.filter(({ type }) => type === "response.output_item.done");
    expect(done).toMatchObject([{ item: { type: "compaction" } }]);
    expect(events.at(-1)?.type).toBe("response.completed");
  });
});

it.each(TRIGGERED.filter((model) => model !== "gpt-4o"))(
  "an item made for %s is read by every upstream",
  async (model) => {
    const { rig, sdk } = await openTriggered();
    const { output } = await sdk.responses.create(triggered(model, session(12)));
    const kept: Items = [{ role: "user", content: "Request 0 is about the lantern." }, ...(output as Items)];
    for (const next of TRIGGERED) {
      await say(sdk, { model: next, input: [...kept, { role: "user", content: "And the harbour?" }] }, true);
      if (next !== "local-model") expect(lastSent(rig)).toContain(HEADING);
    }
    const again = await sdk.responses.create(triggered(model, [...kept, ...session(4)]));
    expect(again.output).toMatchObject([{ type: "compaction" }]);
  },
);
