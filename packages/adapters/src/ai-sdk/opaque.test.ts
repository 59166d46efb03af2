import { expect, it } from "vitest";
import { opaque } from "./opaque.ts";

it("holds a part without what only a provider reads", () => {
  expect(opaque({ type: "tool-approval-response", providerOptions: { a: {} } })).toEqual({
    type: "opaque",
    kind: "tool_approval_response",
    native: { wire: "ai-sdk", value: { type: "tool-approval-response" } },
  });
});
