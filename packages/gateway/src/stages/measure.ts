import type { Destination } from "@longhaul/fit";
import type { Call } from "../call.ts";
import type { Memory } from "../memory.ts";

/** How large the prompt of a call is for a destination, in tokens, by our own count: messages that were met before are not read again. */
export async function measure(
  call: Call,
  destination: Destination,
  { memory }: { readonly memory: Memory },
): Promise<number> {
  const { fitting } = memory;
  const counter = await fitting.counter(destination.match.model.tokenizer, fitting.learned.ratio(destination));
  return (await fitting.histories.read(call, counter)).tokens;
}
