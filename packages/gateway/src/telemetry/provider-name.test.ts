import { expect, it } from "vitest";
import { operationName, providerName } from "./provider-name.ts";

it.each([
  ["anthropic", "anthropic"],
  ["google", "gcp.gemini"],
  ["vertex", "gcp.vertex_ai"],
  ["bedrock", "aws.bedrock"],
  ["other", "_OTHER"],
  ["", ""],
])("calls %j %j", (platform, name) => {
  expect(providerName(platform)).toBe(name);
});

it.each([
  ["anthropic-messages", "generate", "chat"],
  ["gemini", "generate", "generate_content"],
  ["gemini", "count-tokens", "count-tokens"],
])("calls what %s wants with %s %s", (wire, action, name) => {
  expect(operationName({ wire, action })).toBe(name);
});
