import type { Target } from "@longhaul/fit";
import type { Call } from "../call.ts";
import type { Memory } from "../memory.ts";

/** How large the prompt of a call is for a target, in tokens, by our own count: messages that were met before are not read again. */
export async function measure(call: Call, target: Target, { memory }: { readonly memory: Memory }): Promise<number> {
  const { fitting } = memory;
  const counter = await fitting.counter(target.match.model.tokenizer, fitting.learned.ratio(target));
  return (await fitting.histories.read(call, counter)).tokens;
}
