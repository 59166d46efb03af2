import { expect, it } from "vitest";
import type { JsonObject } from "../core/json.ts";
import { makeWorld } from "../core/world.ts";
import { makeCall, makeChatRequest } from "../testing/make.ts";
import { answerChat } from "./answer.ts";

const world = makeWorld({ now: () => 5_000, skew: 1 });
function answer(body: JsonObject, window = 200) {
  const request = makeChatRequest(body);
  const call = makeCall();
  return { reply: answerChat({ ...request, model: { ...request.model, window } }, call, world), notes: call.notes };
}
const user = (content: string) => ({ role: "user", content });

it("answers, counts and bills", () => {
  const { reply, notes } = answer({ messages: [user("hello")] });
  expect(reply).toMatchObject({
    status: 200,
    body: { created: 5, usage: { prompt_tokens: 6 }, choices: [{ message: { content: "You said: hello" } }] },
  });
  expect(notes).toMatchObject({ billed: { inputTokens: 6, cacheReadTokens: 0 }, costUsd: expect.any(Number) });
});

it("refuses a prompt over the window, with the functions' share where there are some", () => {
  expect(() => answer({ messages: [user("word ".repeat(300))] })).toThrow(
    expect.objectContaining({
      status: 400,
      message: expect.stringMatching(
        /^This model's maximum context length is 200 tokens\. However, your messages resulted in \d+ tokens\. Please reduce the length of the messages\.$/,
      ),
      details: { param: "messages", code: "context_length_exceeded" },
    }),
  );
  const tools = [{ type: "function", function: { name: "read" } }];
  expect(() => answer({ messages: [user("word ".repeat(300))], tools })).toThrow(
    /resulted in \d+ tokens \(\d+ in the messages, \d+ in the functions\)\. Please reduce the length of the messages or functions\.$/,
  );
});

it("has other words where the model bounds the prompt apart from the window", () => {
  const request = makeChatRequest({ messages: [user("word ".repeat(300))] });
  const model = { ...request.model, window: 400, maxInput: 250 };
  expect(() => answerChat({ ...request, model }, makeCall(), world)).toThrow(
    /^Input tokens exceed the configured limit of 250 tokens\. Your messages resulted in \d+ tokens\. Please reduce the length of the messages\.$/,
  );
});

it("refuses a completion that does not fit beside the prompt", () => {
  expect(() => answer({ messages: [user("hello")], max_tokens: 195 })).toThrow(
    "This model's maximum context length is 200 tokens. However, you requested 201 tokens (6 in the messages, 195 in the completion). Please reduce the length of the messages or completion.",
  );
});

it("stops at the window's end where no limit was given", () => {
  const { reply } = answer({ messages: [user("simulate: endless")] });
  expect(reply).toMatchObject({ body: { choices: [{ finish_reason: "length" }] } });
});
