import type { Api, Call } from "../core/api.ts";
import { knownModel } from "../core/known-model.ts";
import { Rejection } from "../core/rejection.ts";
import type { World } from "../core/world.ts";
import { authenticate, readBody } from "../openai/door.ts";
import { openaiDialect } from "../openai/errors.ts";
import type { ChatRequest } from "../openai-chat/request.ts";
import { answerChat } from "./answer.ts";

/** Chat completions of vendors that imitate OpenAI's and show their reasoning: DeepSeek and Moonshot. */
export const compatibleApi: Api = {
  id: "openai-compatible",
  dialect: openaiDialect,
  routes: [
    {
      method: "POST",
      pattern: /^\/compatible\/v1\/chat\/completions$/,
      answer: (call, world) => answerChat(readCall(call, world), call, world),
    },
  ],
};

const VENDORS = ["deepseek", "moonshotai"];

function readCall(call: Call, world: World): ChatRequest {
  const credential = authenticate(call, world);
  const body = readBody(call);
  const id = String(body.model ?? "");
  const [model] = VENDORS.flatMap((platform) => knownModel(world.catalog, id, { platform, vendors: [platform] }) ?? []);
  if (model === undefined) throw new Rejection(400, "Model Not Exist");
  call.notes.model = model.id;
  call.notes.isStream = body.stream === true;
  return { body, model, credential };
}
