import { expect, it } from "vitest";
import { operationName } from "./operation-name.ts";

it.each([
  ["anthropic-messages", "generate", "chat"],
  ["gemini", "generate", "generate_content"],
  ["gemini", "count-tokens", "count-tokens"],
])("calls what %s wants with %s %s", (wire, action, name) => {
  expect(operationName({ wire, action })).toBe(name);
});
