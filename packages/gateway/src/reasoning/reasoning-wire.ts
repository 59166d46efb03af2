import type { Reasoning } from "@longhaul/conversation";
import type { Destination } from "@longhaul/fit";
import { codecOf } from "@longhaul/wire";
import type { Call } from "../call.ts";

/** Whether a destination that is spoken to in one format of its vendor speaks the one with reasoning, too. */
export function speaksSibling({ wire, handle }: Destination): boolean {
  const { sibling } = codecOf(wire).traits;
  return sibling !== undefined && handle.connection.upstream.deployment.wires.includes(sibling.wire);
}

/** OpenAI gives summaries of reasoning, and takes it back, in responses alone: a request that wants it goes there, whatever the client speaks. */
export function inSibling(call: Call, destination: Destination, reasoning: Reasoning | undefined): Destination {
  const { sibling } = codecOf(destination.wire).traits;
  if (sibling === undefined || !speaksSibling(destination)) return destination;
  if (reasoning === undefined || reasoning.mode === "off") return destination;
  const body = call.value();
  const isLacked = call.codec.id === destination.wire && sibling.lacks.some((field) => !isPlain(body[field]));
  return isLacked ? destination : { ...destination, wire: sibling.wire };
}

/** Some clients spell out what is so without them. */
function isPlain(value: unknown): boolean {
  return value === undefined || value === null || value === 1 || value === false;
}
