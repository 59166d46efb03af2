import { expect, it } from "vitest";
import { isObject, type JsonObject, objectIn, objectsIn } from "../core/json.ts";
import { makeWorld } from "../core/world.ts";
import { makeCall, makeResponsesRequest } from "../testing/make.ts";
import { answerResponses, compactItems, countInput } from "./answer.ts";

const OVERFLOW = "Your input exceeds the context window of this model. Please adjust your input and try again.";

function open() {
  const world = makeWorld({ models: { "gpt-5": { window: 1_200, maxInput: 1_000 } } });
  return (body: JsonObject, act = answerResponses) => {
    const request = makeResponsesRequest(body);
    const call = makeCall({ seed: JSON.stringify(body) });
    const model = world.catalog.models.find(({ id }) => id === request.model.id) ?? request.model;
    const reply = act({ ...request, model }, call, world);
    return { reply, body: reply.kind === "json" && isObject(reply.body) ? reply.body : {}, notes: call.notes };
  };
}
const long = "word ".repeat(2_000);

it("counts the same as it bills", () => {
  const answer = open();
  const counted = answer({ input: "hello" }, countInput).body;
  expect(counted).toEqual({
    object: "response.input_tokens",
    input_tokens: objectIn(answer({ input: "hello" }).body.usage).input_tokens,
  });
});

it("refuses input over the window with a status, or inside the stream", () => {
  const answer = open();
  expect(() => answer({ input: long })).toThrow(
    expect.objectContaining({
      status: 400,
      message: OVERFLOW,
      details: { param: "input", code: "context_length_exceeded" },
    }),
  );
  const { reply, notes } = answer({ input: long, stream: true });
  expect(reply.kind === "stream" && reply.events.map(({ event }) => event)).toEqual([
    "response.created",
    "response.in_progress",
    "error",
    "response.failed",
  ]);
  expect(notes.rejection).toMatchObject({ status: 400, message: OVERFLOW });
});

it("drops items from the beginning where it may", () => {
  const input = [
    { role: "user", content: long },
    { role: "user", content: "hello" },
  ];
  const { body } = open()({ input, truncation: "auto" });
  expect(body.status).toBe("completed");
  expect(Number(objectIn(body.usage).input_tokens)).toBeLessThan(20);
});

it("continues from a stored response, and not from one that was not stored", () => {
  const answer = open();
  const first = answer({ input: "one" }).body;
  const second = answer({ input: "two", previous_response_id: first.id }).body;
  expect(Number(objectIn(second.usage).input_tokens)).toBeGreaterThan(Number(objectIn(first.usage).input_tokens));
  const unstored = answer({ input: "three", store: false }).body;
  expect(() => answer({ input: "four", previous_response_id: unstored.id })).toThrow(/not found/);
});

it("compacts to the user's messages and one item", () => {
  const answer = open();
  const input = [
    { role: "user", content: "look at src/a.ts" },
    { role: "assistant", content: [{ type: "output_text", text: "done" }] },
    { role: "user", content: [{ type: "input_text", text: "and b?" }] },
  ];
  const { body, notes } = answer({ input }, compactItems);
  expect(body).toMatchObject({ object: "response.compaction", usage: { output_tokens: expect.any(Number) } });
  const output = objectsIn(body.output);
  expect(output.map(({ type, role }) => role ?? type)).toEqual(["user", "user", "compaction"]);
  expect(notes.compactions).toBe(1);
  const next = answer({ input: [...output, { role: "user", content: "go on" }] }).body;
  expect(next.status).toBe("completed");
  expect(() => answer({ input: long }, compactItems)).toThrow(OVERFLOW);
});
