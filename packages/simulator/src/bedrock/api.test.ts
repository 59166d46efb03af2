import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Rejection } from "../core/api.ts";
import { openSimulator, type Simulator } from "../simulator.ts";
import { readFrames, signRequest } from "../testing/aws.ts";
import { makeCall } from "../testing/make.ts";
import { bedrockDialect } from "./api.ts";

const MODEL = "us.anthropic.claude-sonnet-4-6";
const credentials = { accessKeyId: "AKIDTEST", secretAccessKey: "secret" };
const body = {
  anthropic_version: "bedrock-2023-05-31",
  max_tokens: 200,
  messages: [{ role: "user", content: "hello é" }],
};

let simulator: Simulator;
beforeAll(async () => {
  simulator = await openSimulator({
    aws: credentials,
    models: { "bedrock/anthropic.claude-haiku-4-5-20251001-v1:0": { window: 500 } },
  });
});
afterAll(() => simulator.close());

function send(
  given: object,
  {
    path = `/model/${MODEL}/invoke`,
    headers = {},
    signedWith = credentials,
  }: { path?: string; headers?: Record<string, string>; signedWith?: typeof credentials } = {},
) {
  const bytes = Buffer.from(JSON.stringify(given));
  const host = new URL(simulator.url).host;
  const call = makeCall({ method: "POST", path, bytes, headers: { host } });
  const { host: _, ...signed } = { ...call.headers, ...signRequest(call, signedWith, Date.now()), ...headers };
  return fetch(`${simulator.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...signed },
    body: bytes,
  });
}

it("answers a signed request", async () => {
  const response = await send(body);
  expect(response.status).toBe(200);
  expect(Number(response.headers.get("x-amzn-bedrock-input-token-count"))).toBeGreaterThan(0);
  expect(await response.json()).toMatchObject({
    type: "message",
    content: [{ type: "text", text: "You said: hello é" }],
  });
  expect(simulator.requests().at(-1)).toMatchObject({
    api: "bedrock",
    model: expect.stringContaining("claude-sonnet-4-6"),
  });
});

it("accepts an id with punctuation, and a bearer token instead of a signature", async () => {
  const id = encodeURIComponent("anthropic.claude-haiku-4-5-20251001-v1:0");
  expect((await send(body, { path: `/model/${id}/invoke` })).status).toBe(200);
  expect((await send(body, { headers: { authorization: "Bearer token" } })).status).toBe(200);
});

it("streams frames with Messages API events, without pings and with Bedrock's metrics at the end", async () => {
  const response = await send(body, { path: `/model/${MODEL}/invoke-with-response-stream` });
  expect(response.headers.get("content-type")).toBe("application/vnd.amazon.eventstream");
  const frames = readFrames(Buffer.from(await response.arrayBuffer()));
  const events = frames.map(({ payload }) => JSON.parse(Buffer.from(JSON.parse(payload).bytes, "base64").toString()));
  expect(events.map(({ type }) => type)).toEqual([
    "message_start",
    "content_block_start",
    "content_block_delta",
    "content_block_stop",
    "message_delta",
    "message_stop",
  ]);
  expect(events.at(-1)["amazon-bedrock-invocationMetrics"]).toMatchObject({
    outputTokenCount: events.at(-2).usage.output_tokens,
  });
});

describe("refuses", () => {
  it.each([
    [
      "a wrong signature",
      body,
      { signedWith: { ...credentials, secretAccessKey: "x" } },
      403,
      "InvalidSignatureException",
      /^The request signature/,
    ],
    [
      "an unknown model",
      body,
      { path: "/model/anthropic.claude-nope/invoke" },
      400,
      "ValidationException",
      /^The provided model identifier is invalid\.$/,
    ],
    [
      "no version",
      { ...body, anthropic_version: undefined },
      {},
      400,
      "ValidationException",
      /^anthropic_version: Field required$/,
    ],
    [
      "another version",
      { ...body, anthropic_version: "vertex" },
      {},
      400,
      "ValidationException",
      /^anthropic_version: vertex is not supported$/,
    ],
    [
      "a model in the body",
      { ...body, model: "x" },
      {},
      400,
      "ValidationException",
      /^model: Extra inputs are not permitted$/,
    ],
    [
      "a stream in the body",
      { ...body, stream: true },
      {},
      400,
      "ValidationException",
      /^stream: Extra inputs are not permitted$/,
    ],
    [
      "unknown betas",
      { ...body, anthropic_beta: ["files-api-2025-04-14"] },
      {},
      400,
      "ValidationException",
      /^invalid beta flag$/,
    ],
    [
      "compaction on demand",
      { ...body, anthropic_beta: ["context-management-2025-06-27"], compaction: { type: "summarize" } },
      {},
      400,
      "ValidationException",
      /^compaction: Extra inputs are not permitted$/,
    ],
    [
      "a prompt that is too long",
      { ...body, messages: [{ role: "user", content: "word ".repeat(1_000) }] },
      { path: "/model/anthropic.claude-haiku-4-5-20251001-v1%3A0/invoke" },
      400,
      "ValidationException",
      /^Input is too long for requested model\.$/,
    ],
  ])("%s", async (_, given, how, status, type, message) => {
    const response = await send(given, how);
    expect([response.status, response.headers.get("x-amzn-errortype")]).toEqual([status, type]);
    expect(await response.json()).toEqual({ message: expect.stringMatching(message) });
  });

  it("inside a stream with an exception, and damaged frames", async () => {
    const path = `/model/${MODEL}/invoke-with-response-stream`;
    simulator.inject("error-event=503");
    const broken = readFrames(Buffer.from(await (await send(body, { path })).arrayBuffer()));
    expect(broken.at(-1)).toMatchObject({ headers: { ":exception-type": "serviceUnavailableException" } });
    simulator.inject("bad-crc");
    const damaged = Buffer.from(await (await send(body, { path })).arrayBuffer());
    expect(() => readFrames(damaged)).toThrow("the checksum is wrong");
  });
});

it("returns the type in a header and the message in the body", () => {
  expect(bedrockDialect.error(new Rejection(400, "max_tokens: Field required"), "req_1")).toEqual({
    kind: "json",
    status: 400,
    headers: { "x-amzn-requestid": "req_1", "x-amzn-errortype": "ValidationException" },
    body: { message: "max_tokens: Field required" },
  });
});

it("has its own messages for long prompts and too many requests", () => {
  const bodyOf = (rejection: Rejection) => bedrockDialect.error(rejection, "r").body;
  expect(bodyOf(new Rejection(400, "prompt is too long: 2 tokens > 1 maximum"))).toEqual({
    message: "Input is too long for requested model.",
  });
  expect(bodyOf(new Rejection(429, "x"))).toEqual({ message: "Too many tokens, please wait before trying again." });
});

it.each([
  [403, undefined, 403, "AccessDeniedException"],
  [403, "InvalidSignatureException", 403, "InvalidSignatureException"],
  [404, undefined, 404, "ResourceNotFoundException"],
  [413, undefined, 400, "ValidationException"],
  [429, undefined, 429, "ThrottlingException"],
  [500, undefined, 500, "InternalServerException"],
  [503, undefined, 503, "ServiceUnavailableException"],
  [422, undefined, 422, "ValidationException"],
  [529, undefined, 529, "InternalServerException"],
])("maps status %d to %s", (status, type, sent, header) => {
  const rejection = new Rejection(status, "m", type === undefined ? {} : { type });
  expect(bedrockDialect.error(rejection, "r")).toMatchObject({ status: sent, headers: { "x-amzn-errortype": header } });
});

it("sends an error inside a stream as an exception", () => {
  expect(bedrockDialect.streamError(new Rejection(503, "m"))).toEqual([
    { event: "serviceUnavailableException", data: '{"message":"m"}' },
  ]);
});
