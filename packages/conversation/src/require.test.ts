import { expect, it } from "vitest";
import { requireContextLimit, requireMessages } from "./require.ts";
import { makeUser } from "./testing/index.ts";

it("refuses a conversation without messages", () => {
  expect(() => requireMessages([])).toThrow(
    expect.objectContaining({ code: "VALIDATION_ERROR", status: 400, message: "Conversation has no messages" }),
  );
  expect(() => requireMessages([makeUser()])).not.toThrow();
});

it.each([0, -1, Number.NaN])("refuses a context limit of %d tokens", (tokens) => {
  expect(() => requireContextLimit(tokens)).toThrow(
    expect.objectContaining({ code: "VALIDATION_ERROR", status: 400, message: "Context limit must be positive" }),
  );
});

it("accepts a context limit of one token", () => {
  expect(() => requireContextLimit(1)).not.toThrow();
});
