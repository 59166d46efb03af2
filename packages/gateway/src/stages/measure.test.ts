import { decode } from "@longhaul/fit";
import { afterAll, expect, it } from "vitest";
import { findEndpoint } from "../http/endpoints.ts";
import { makeCaller } from "../testing/caller.ts";
import { makeMemory } from "../testing/memory.ts";
import { makeSnapshot } from "../testing/snapshot.ts";
import { measure } from "./measure.ts";
import { resolve } from "./resolve.ts";

const snapshot = makeSnapshot({ upstreams: { c: { kind: "anthropic" } }, routes: [{ match: "*", upstream: "c" }] });
afterAll(() => snapshot.close());

it.each([
  [
    "messages that can be found in the bytes",
    '{"model":"claude-opus-4-6","messages":[{"role":"user","content":"one two three"}]}',
  ],
  [
    "a body that must be parsed whole",
    '{"model":"claude-opus-4-6","top_k":1,"messages":[{"role":"user","content":"one two three"}],"top_k":2}',
  ],
])("counts %s", async (_, text) => {
  const endpoint = findEndpoint("POST", "/v1/messages", {})!;
  const call = decode({
    id: "i",
    endpoint,
    body: new TextEncoder().encode(text),
    headers: {},
    query: "",
    caller: makeCaller(),
  });
  const [destination] = resolve({ model: call.model, wire: call.endpoint.wire }, snapshot);
  const memory = await makeMemory();
  const counter = await memory.counters.counterFor("claude");
  expect(await measure(call, destination!, { memory })).toBe(counter.countConversation(call.request().conversation));
});
