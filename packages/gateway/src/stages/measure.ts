import type { Call } from "../call.ts";
import type { Memory } from "../memory.ts";
import type { Target } from "../target.ts";

/** How large the prompt of a call is for a target, in tokens, by our own count: messages that were met before are not read again. */
export async function measure(call: Call, target: Target, { memory }: { readonly memory: Memory }): Promise<number> {
  const counter = await memory.counters.counterFor(target.match.model.tokenizer);
  return memory.prompts.count(call.body, call.codec, counter) ?? counter.countConversation(call.request().conversation);
}
