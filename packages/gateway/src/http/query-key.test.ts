import type { WireId } from "@longhaul/conversation";
import { expect, it } from "vitest";
import { takeKey } from "./query-key.ts";

it("makes a header of a key in the query", () => {
  expect(takeKey({ accept: "a" }, "?alt=sse&key=AIza%2B1", "gemini")).toEqual({
    headers: { accept: "a", "x-goog-api-key": "AIza+1" },
    query: "?alt=sse",
  });
  expect(takeKey({}, "?key=k", "gemini").query).toBe("");
  expect(takeKey({}, "?k%65y=k&key=l&a=1", "gemini")).toEqual({ headers: { "x-goog-api-key": "k" }, query: "?a=1" });
});

it("prefers the header that the client sent", () => {
  expect(takeKey({ "x-goog-api-key": "header" }, "?key=query", "gemini").headers).toEqual({
    "x-goog-api-key": "header",
  });
});

it("leaves every other query as it is", () => {
  expect(takeKey({}, "?a=%20&monkey=1", "gemini")).toEqual({ headers: {}, query: "?a=%20&monkey=1" });
});

it.each<WireId>(["anthropic-messages", "openai-chat", "openai-responses"])(
  "drops the key of a client that speaks %s",
  (wire) => {
    expect(takeKey({ accept: "a" }, "?limit=2&key=k", wire)).toEqual({ headers: { accept: "a" }, query: "?limit=2" });
  },
);
