import type { Api, Call } from "../core/api.ts";
import type { World } from "../core/world.ts";
import { authenticate, readBody, requireModel } from "../openai/door.ts";
import { openaiDialect } from "../openai/errors.ts";
import { answerChat } from "./answer.ts";
import type { ChatRequest } from "./request.ts";

/** OpenAI's Chat Completions. */
export const openaiChatApi: Api = {
  id: "openai-chat",
  dialect: openaiDialect,
  routes: [
    {
      method: "POST",
      pattern: /^\/v1\/chat\/completions$/,
      answer: (call, world) => answerChat(readCall(call, world), call, world),
    },
  ],
};

function readCall(call: Call, world: World): ChatRequest {
  const credential = authenticate(call, world);
  const body = readBody(call);
  const model = requireModel(body.model, world);
  call.notes.model = model.id;
  call.notes.isStream = body.stream === true;
  return { body, model, credential };
}
