import { type Gateway, openGateway } from "@longhaul/gateway";
import { openSimulator, type Simulator } from "@longhaul/simulator";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

let simulator: Simulator;
const gateways: Gateway[] = [];

beforeAll(async () => {
  simulator = await openSimulator();
});
afterAll(async () => {
  for (const gateway of gateways) await gateway.close();
  await simulator.close();
});

/** OpenAI's SDK with a gateway in front of one upstream. */
async function clientsOf(kind: "anthropic" | "openai", ...keys: string[]): Promise<OpenAI[]> {
  const baseUrl = kind === "openai" ? `${simulator.url}/v1` : simulator.url;
  const upstreams = { up: { kind, baseUrl, apiKey: "key", maxRetries: 0 } };
  const file = { server: { port: 0 }, upstreams, routes: [{ match: "*", upstream: "up" }] };
  const gateway = await openGateway({ file });
  gateways.push(gateway);
  return keys.map((apiKey) => new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey, maxRetries: 0 }));
}

type Input = string | OpenAI.Responses.ResponseInput;

/** The SDK's error for an unknown response. */
function notFound(id: string) {
  return {
    status: 404,
    error: { message: `Response with id '${id}' not found.`, type: "invalid_request_error", param: "id", code: null },
  };
}

describe.each([false, true])("a response stored by the gateway (streamed: %s)", (stream) => {
  async function create(sdk: OpenAI, body: { model: string; input: Input; previous_response_id?: string }) {
    if (!stream) return await sdk.responses.create(body);
    for await (const event of await sdk.responses.create({ ...body, stream })) {
      if (event.type === "response.completed") return event.response;
    }
    throw new Error("the stream did not complete");
  }
  const model = "claude-sonnet-4-5";

  it("is returned only to its own client", async () => {
    const [sdk, other] = await clientsOf("anthropic", "one", "two");
    const made = await create(sdk!, { model, input: "simulate: say Hello" });
    const { output_text, ...found } = await sdk!.responses.retrieve(made.id);
    expect([found, output_text]).toMatchObject([{ id: made.id, output: made.output, usage: made.usage }, "Hello"]);
    await expect(other!.responses.retrieve(made.id)).rejects.toMatchObject(notFound(made.id));
    await expect(other!.responses.delete(made.id)).rejects.toMatchObject(notFound(made.id));
  });

  it("lists its input items in pages, newest first", async () => {
    const [sdk] = await clientsOf("anthropic", "one");
    const first = await create(sdk!, { model, input: "simulate: say One" });
    const second = await create(sdk!, {
      model,
      previous_response_id: first.id,
      input: [{ role: "user", content: [{ type: "input_text", text: "simulate: say Two" }] }],
    });
    const asked = (id: string, text: string) => ({
      id: `msg_${id}_input_0`,
      type: "message",
      status: "completed",
      role: "user",
      content: [{ type: "input_text", text }],
    });
    const all = [asked(first.id, "simulate: say One"), ...first.output, asked(second.id, "simulate: say Two")];
    const page = await sdk!.responses.inputItems.list(second.id, { order: "asc" });
    expect(page.data).toEqual(all);
    const walked: unknown[] = [];
    for await (const item of sdk!.responses.inputItems.list(second.id, { limit: 1 })) walked.push(item);
    expect(walked).toEqual(all.toReversed());
  });

  it("cannot be read after its client deletes it", async () => {
    const [sdk] = await clientsOf("anthropic", "one");
    const { id } = await create(sdk!, { model, input: "simulate: say Hello" });
    const answer = await sdk!.delete(`/responses/${id}`);
    expect(answer).toEqual({ id, object: "response", deleted: true });
    await expect(sdk!.responses.retrieve(id)).rejects.toMatchObject(notFound(id));
    await expect(sdk!.responses.inputItems.list(id)).rejects.toMatchObject(notFound(id));
    await expect(sdk!.responses.delete(id)).rejects.toMatchObject(notFound(id));
    await expect(create(sdk!, { model, previous_response_id: id, input: "more" })).rejects.toMatchObject({
      status: 400,
      code: "previous_response_not_found",
    });
  });
});

it("asks a Responses upstream for responses that only it can store", async () => {
  const [sdk] = await clientsOf("openai", "one");
  const made = await sdk!.responses.create({ model: "gpt-5", input: "simulate: say Hello" });
  expect(await sdk!.responses.retrieve(made.id)).toMatchObject({ id: made.id, output: made.output });
  await sdk!.responses.delete(made.id);
  await expect(sdk!.responses.retrieve(made.id)).rejects.toMatchObject({
    status: 404,
    error: { message: `Response with id '${made.id}' not found.` },
  });
});
