import Anthropic from "@anthropic-ai/sdk";
import { type Handler, json, openUpstream } from "@longhaul/fit/testing";
import { openGateway } from "@longhaul/gateway";
import { expect, it, onTestFinished } from "vitest";

const BATCH = {
  id: "msgbatch_1",
  type: "message_batch",
  processing_status: "ended",
  // The vendor returns its own host name, not the address of the request.
  results_url: "https://api.anthropic.com/v1/messages/batches/msgbatch_1/results",
};
const RESULT = { custom_id: "a", result: { type: "canceled" } };

const results: Handler = (_, response) => {
  response.writeHead(200, { "content-type": "application/x-jsonl" });
  response.end(`${JSON.stringify(RESULT)}\n`);
};

it("reads the results of a batch through the gateway, with the upstream's key", async () => {
  const upstream = await openUpstream(json(BATCH), results);
  const claude = { kind: "anthropic", baseUrl: upstream.url, apiKey: "operators" };
  const gateway = await openGateway({ file: { server: { port: 0 }, upstreams: { claude } } });
  onTestFinished(async () => {
    await gateway.close();
    await upstream.close();
  });
  const sdk = new Anthropic({ baseURL: gateway.url, apiKey: "clients", maxRetries: 0 });
  const read: unknown[] = [];
  for await (const result of await sdk.messages.batches.results("msgbatch_1")) read.push(result);
  expect(read).toEqual([RESULT]);
  expect(upstream.seen.map(({ path }) => path)).toEqual([
    "/v1/messages/batches/msgbatch_1",
    "/v1/messages/batches/msgbatch_1/results",
  ]);
  expect(JSON.stringify(upstream.seen)).not.toContain("clients");
});
