import { expect, it } from "vitest";
import { upstreamAt, upstreamOf } from "./upstreams.ts";

it.each([
  ["https://api.anthropic.com/v1/messages", { kind: "anthropic" }],
  ["https://openrouter.ai/api/v1/chat/completions", { kind: "openrouter" }],
  ["https://generativelanguage.googleapis.com/v1beta/models/", { kind: "gemini" }],
  ["https://notopenrouter.ai/v1/", { kind: "openai-compatible", baseUrl: "https://notopenrouter.ai/v1" }],
  ["http://127.0.0.1:1/v1/chat/completions", { kind: "openai-compatible", baseUrl: "http://127.0.0.1:1/v1" }],
])("recognizes the upstream at %s", (address, place) => {
  expect(upstreamAt(address)).toEqual(place);
});

it("returns the address of a vendor", () => {
  expect(upstreamOf("google")).toEqual({ kind: "gemini" });
  expect(upstreamOf("anthropic", "http://proxy")).toEqual({ kind: "anthropic", baseUrl: "http://proxy" });
  expect(upstreamOf("openai", "http://local/v1")).toEqual({ kind: "openai-compatible", baseUrl: "http://local/v1" });
  expect(upstreamOf("deepseek")).toEqual({ kind: "openai-compatible", baseUrl: "https://api.deepseek.com/v1" });
  expect(upstreamOf("nobody")).toBeUndefined();
});
