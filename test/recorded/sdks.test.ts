import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type Gateway, openGateway } from "@longhaul/gateway";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Expected, type Recording, readRecordings, writeFrames } from "./recording.ts";
import { openSdks, type SdkClient, type Seen } from "./sdk-clients.ts";
import { AS_RECORDED, anyVariant, cut, piecesOf, withStyle } from "./variant.ts";

const RECORDINGS = readRecordings();
/** Another chunk size and style of empty fields for each recording. */
const VARIANTS = fc.sample(anyVariant(), { numRuns: RECORDINGS.length, seed: 1 });
const WIRES = ["anthropic-messages", "openai-chat", "openai-responses", "gemini"];

let player: Server;
let gateway: Gateway;
let sdks: readonly SdkClient[] = [];

beforeAll(async () => {
  player = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const said = `${request.url} ${Buffer.concat(chunks)}`;
    const isStreamed = said.includes('"stream":true') || said.includes("streamGenerateContent");
    const { type, pieces } = answerTo(said, isStreamed);
    response.writeHead(200, { "content-type": type });
    for (const piece of pieces) response.write(piece);
    response.end();
  });
  await new Promise<void>((resolve) => player.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(player.address() as AddressInfo).port}`;
  const key = { apiKey: "key", maxRetries: 0 };
  const upstreams = {
    "anthropic-messages": { kind: "anthropic", baseUrl: url, ...key },
    "openai-chat": { kind: "openai-compatible", baseUrl: `${url}/v1`, ...key },
    "openai-responses": { kind: "openai", baseUrl: `${url}/v1`, wire: "openai-responses", ...key },
    gemini: { kind: "gemini", baseUrl: url, ...key },
  };
  const routes = RECORDINGS.flatMap(({ wire }, index) =>
    ["recording", "variant"].map((kind) => ({ match: `${kind}-${index}`, upstream: wire })),
  );
  gateway = await openGateway({ file: { server: { port: 0 }, upstreams, routes } });
  sdks = openSdks(gateway.url);
});
afterAll(async () => {
  await gateway.close();
  player.closeAllConnections();
  await new Promise((resolve) => player.close(resolve));
});

const CASES = RECORDINGS.flatMap((recording, index) =>
  [true, false]
    .filter((stream) => (stream ? recording.stream : recording.whole) !== undefined)
    .map((stream) => [recording.name, stream ? "streamed" : "whole", { recording, index, stream }] as const),
);

describe.each(CASES)("%s, %s, through a gateway", (_, __, { recording, index, stream }) => {
  const { wire, expected } = recording;

  describe.each(WIRES.filter((client) => client !== wire))("reaches the SDK of %s correctly", (client) => {
    it.each([
      ["as recorded", `recording-${index}`],
      ["with other chunks and empty fields", `variant-${index}`],
    ])("%s", async (_name, model) => {
      const sdk = sdks.find((each) => each.wire === client);
      const asked = sdk?.ask(model, stream);
      if (expected.error === undefined) expect(await asked).toEqual(seenIn(expected, client));
      else await expect(asked).rejects.toThrow();
    });
  });

  if (expected.error !== undefined) return;
  it("reaches a client of its own format byte for byte", async () => {
    const response = await askPlainly(recording, `recording-${index}`, stream);
    const text = await response.text();
    expect(text).toBe(stream ? writeFrames(recording.stream ?? []) : JSON.stringify(recording.whole));
  });
});

/** Returns the reply for a request that names a recording or a variant. */
function answerTo(said: string, isStreamed: boolean): { type: string; pieces: readonly Uint8Array[] } {
  const [, kind, number] = /(recording|variant)-(\d+)/.exec(said) ?? [];
  const { wire = "openai-chat", stream, whole } = RECORDINGS[Number(number)] ?? {};
  const variant = (kind === "variant" ? VARIANTS[Number(number)] : undefined) ?? AS_RECORDED;
  if (isStreamed && stream !== undefined) return { type: "text/event-stream", pieces: piecesOf(stream, wire, variant) };
  return {
    type: "application/json",
    pieces: cut(JSON.stringify(withStyle(whole ?? {}, wire, variant.styles[0])), variant.cuts),
  };
}

/** Free text is one named argument in formats that only have those. */
function seenIn(
  { text = "", thinking = "", calls = [], freeText = [], usage = [0, 0, 0] }: Expected,
  client: string,
): Seen {
  const isNamed = client === "anthropic-messages" || client === "gemini";
  const free = freeText.map(([name, input]) => [name, isNamed ? { input } : input] as const);
  return { text, thinking, calls: [...calls, ...free], usage: [usage[0], usage[2]] };
}

function askPlainly({ wire }: Recording, model: string, stream: boolean): Promise<Response> {
  const messages = [{ role: "user", content: "Hi" }];
  const requests: Record<string, { path: string; body: object }> = {
    "anthropic-messages": { path: "/v1/messages", body: { model, max_tokens: 9, messages, stream } },
    "openai-chat": {
      path: "/v1/chat/completions",
      body: { model, messages, stream, ...(stream && { stream_options: { include_usage: true } }) },
    },
    "openai-responses": { path: "/v1/responses", body: { model, input: "Hi", stream, store: false } },
    gemini: {
      path: `/v1beta/models/${model}:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`,
      body: { contents: [{ role: "user", parts: [{ text: "Hi" }] }] },
    },
  };
  const { path, body } = requests[wire]!;
  const headers = { "content-type": "application/json", authorization: "Bearer key" };
  return fetch(`${gateway.url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
}
