import type { WireId } from "@longhaul/conversation";
import { describe, expect, it } from "vitest";
import { findSocketEndpoint, takeKey } from "./arrive.ts";

describe("takeKey", () => {
  it("turns a key in the query into a header", () => {
    expect(takeKey({ accept: "a" }, "?alt=sse&key=AIza%2B1", "gemini")).toEqual({
      headers: { accept: "a", "x-goog-api-key": "AIza+1" },
      query: "?alt=sse",
    });
    expect(takeKey({}, "?key=k", "gemini").query).toBe("");
    expect(takeKey({}, "?k%65y=k&key=l&a=1", "gemini")).toEqual({ headers: { "x-goog-api-key": "k" }, query: "?a=1" });
  });

  it("prefers the header that the client sent", () => {
    const { headers } = takeKey({ "x-goog-api-key": "header" }, "?key=query", "gemini");
    expect(headers).toEqual({ "x-goog-api-key": "header" });
  });

  it("leaves a query without a key unchanged", () => {
    expect(takeKey({}, "?a=%20&monkey=1", "gemini")).toEqual({ headers: {}, query: "?a=%20&monkey=1" });
  });

  it.each<WireId>(["anthropic-messages", "openai-chat", "openai-responses"])("drops the key of a %s client", (wire) => {
    expect(takeKey({ accept: "a" }, "?limit=2&key=k", wire)).toEqual({ headers: { accept: "a" }, query: "?limit=2" });
  });
});

it.each([
  ["/v1/responses", "openai-responses"],
  ["/responses", "openai-responses"],
  ["/v1/responses/compact", undefined],
  ["/v1/messages", undefined],
])("finds the WebSocket endpoint at %s: %s", (path, wire) => {
  expect(findSocketEndpoint(path)?.wire).toBe(wire);
});
