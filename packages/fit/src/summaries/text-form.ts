import { type Ask, renderAsk } from "@longhaul/condense";
import { type Request, textMessage } from "@longhaul/conversation";
import type { Outgoing } from "@longhaul/upstream";
import { codecOf } from "@longhaul/wire";
import type { Destination } from "../destinations/destination.ts";
import { wireDestination } from "../destinations/wire-destination.ts";
import type { Candidate } from "./candidates.ts";

/** An ask as one plain request: its messages are written out, nothing else stands beside them. */
export function textForm(
  ask: Ask,
  { destination, headers }: Pick<Candidate, "destination" | "headers">,
  maxOutputTokens: number,
): Outgoing {
  const { wire, model, match } = destination;
  const request: Request = {
    model,
    conversation: { system: [], tools: [], messages: [textMessage("user", renderAsk(ask))] },
    stream: false,
    maxOutputTokens,
    sampling: {},
    ...(match.model.reasoning.kind === "none" ? {} : { reasoning: { mode: "off" } }),
  };
  const { encodeRequest, traits } = codecOf(wire);
  const { body } = encodeRequest(request, wireDestination(destination));
  // A vendor that keeps answers has no reason to keep this one.
  const bytes = new TextEncoder().encode(JSON.stringify({ ...body, ...traits.noStoreFields }));
  return { wire, action: "generate", method: "POST", model, stream: false, body: bytes, headers };
}

/** Tokens that a model may think for before it writes, where nobody can keep it from thinking. */
const THINKING_TOKENS = 8_192;
/** The most of a window that is kept free for thinking, and for the whole answer. */
const MAX_THINKING_SHARE = 0.25;
const MAX_OUTPUT_SHARE = 0.5;

/** Room for reasoning that can't be turned off or that nobody knows of. */
export function thinkingRoom({ match }: Pick<Destination, "match">, windowTokens: number): number {
  const thinks = match.model.reasoning.mandatory || match.matchedBy === "default";
  return thinks ? Math.min(THINKING_TOKENS, Math.floor(windowTokens * MAX_THINKING_SHARE)) : 0;
}

/** The most that the answer may have, reasoning included. */
export function outputRoom({ maxTokens }: Ask, destination: Pick<Destination, "match">, windowTokens: number): number {
  const wished = maxTokens + thinkingRoom(destination, windowTokens);
  return Math.min(wished, destination.match.model.maxOutput, Math.floor(windowTokens * MAX_OUTPUT_SHARE));
}
