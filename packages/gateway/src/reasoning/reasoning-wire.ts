import type { Reasoning } from "@longhaul/conversation";
import type { Call } from "../call.ts";
import type { Target } from "../target.ts";

const CHAT = "openai-chat";
const RESPONSES = "openai-responses";

/** What chat completions have and responses do not. */
const CHAT_ONLY = [
  "audio",
  "function_call",
  "functions",
  "logit_bias",
  "logprobs",
  "modalities",
  "n",
  "prediction",
  "top_logprobs",
  "web_search_options",
];

/** Whether a target that is spoken to in chat completions speaks responses too. */
export function hasResponses({ wire, place }: Target): boolean {
  return wire === CHAT && place.connection.upstream.deployment.wires.includes(RESPONSES);
}

/** OpenAI gives summaries of reasoning, and takes it back, in responses alone: a request that wants it goes there, whatever the client speaks. */
export function withResponses(call: Call, target: Target, reasoning: Reasoning | undefined): Target {
  if (!hasResponses(target) || reasoning === undefined || reasoning.mode === "off") return target;
  const body = call.value();
  const isChatOnly = call.codec.id === CHAT && CHAT_ONLY.some((field) => !isPlain(body[field]));
  return isChatOnly ? target : { ...target, wire: RESPONSES };
}

/** Some clients spell out what is so without them. */
function isPlain(value: unknown): boolean {
  return value === undefined || value === null || value === 1 || value === false;
}
