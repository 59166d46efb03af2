import type { Call, Reply, StreamEvent } from "../core/api.ts";
import { type JsonObject, objectIn } from "../core/json.ts";
import { piecesOf as cut } from "../core/pieces.ts";
import type { World } from "../core/world.ts";
import { checkWindow, finish } from "../openai-chat/answer.ts";
import { checkMessages } from "../openai-chat/check-messages.ts";
import type { ChatRequest } from "../openai-chat/check-request.ts";
import { piecesOf } from "../openai-chat/pieces.ts";
import { completionOf, type FinishedChat } from "../openai-chat/reply.ts";
import { eventsOf } from "../openai-chat/stream.ts";
import { checkThoughts } from "./check-thoughts.ts";

/** Answers a request: OpenAI's chat completions, with the reasoning in plain words, which have to come back with its calls. */
export function answerChat(request: ChatRequest, call: Call, world: World): Reply {
  const { body, model } = request;
  checkMessages(request);
  checkThoughts(body, model);
  const pieces = piecesOf(body, world);
  checkWindow(request, pieces);
  const finished = finish(request, pieces, { call, world });
  if (body.stream !== true) return { kind: "json", status: 200, headers: {}, body: withThoughts(finished) };
  const includesUsage = objectIn(body.stream_options).include_usage === true;
  const { deltaChars } = world.settings;
  const [first, ...rest] = eventsOf(finished, { deltaChars, includesUsage });
  const events = [...(first === undefined ? [] : [first]), ...thoughtDeltas(finished, deltaChars), ...rest];
  return { kind: "stream", headers: {}, framing: "sse", events };
}

function withThoughts(finished: FinishedChat): JsonObject {
  const completion = completionOf(finished);
  const [choice] = Array.isArray(completion.choices) ? completion.choices : [];
  const message = { ...objectIn(choice?.message), reasoning_content: finished.output.thinking?.text ?? null };
  return { ...completion, choices: [{ ...objectIn(choice), message }] };
}

function thoughtDeltas({ id, model, created, output }: FinishedChat, deltaChars: number): readonly StreamEvent[] {
  const head = { id, object: "chat.completion.chunk", created, model };
  return cut(output.thinking?.text ?? "", deltaChars).map((reasoning_content) => {
    const choice = { index: 0, delta: { content: null, reasoning_content }, logprobs: null, finish_reason: null };
    return { data: JSON.stringify({ ...head, choices: [choice] }) };
  });
}
