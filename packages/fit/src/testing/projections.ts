import {
  type Budget,
  type Entry,
  type PlanOptions,
  PROJECTION_VERSION,
  type Projection,
} from "@longhaul/condense/advanced";
import type { Conversation, JsonObject, Message, WireId } from "@longhaul/conversation";
import { makeText } from "@longhaul/conversation/testing";
import type { Format } from "@longhaul/wire/testing";
import fc from "fast-check";
import type { Prompt } from "../history/write-slots.ts";
import { makeCall } from "./fitting.ts";

/** A body and a projection of its conversation. */
export interface Projected {
  readonly text: string;
  readonly projection: Projection;
}

/** Any body of a format in some spelling, with a projection that keeps, drops and replaces leading messages. */
export function anyProjected({ codec, anyBody }: Format): fc.Arbitrary<Projected> {
  return fc.tuple(anyBody(), fc.constantFrom(undefined, 1)).chain(([body, indent]) => {
    const text = JSON.stringify(body, undefined, indent);
    const { length } = conversationIn(text, codec.id).messages;
    const fates = fc.array(fc.constantFrom(...FATES), { minLength: 1, maxLength: length });
    return fates.map((all) => ({ text, projection: projectionOf(all) }));
  });
}

const FATES = ["keep", "drop", "replace"] as const;

function projectionOf(fates: readonly (typeof FATES)[number][]): Projection {
  const entries = fates.flatMap((fate, from): Entry[] => {
    if (fate === "drop") return [];
    if (fate === "keep") return [{ kind: "keep", from, to: from + 1 }];
    const message = { role: "user", blocks: [makeText(`In short, "${from}".`)] } as const;
    return [{ kind: "made", from, to: from + 1, message }];
  });
  return { version: PROJECTION_VERSION, messages: fates.length, entries };
}

/** The conversation in a body. */
export function conversationIn(text: string, wire: WireId): Conversation {
  return makeCall(text, { wire }).request().conversation;
}

/** A body as a prompt. */
export function makePrompt(body: string | JsonObject, wire: WireId, fields: Partial<Prompt> = {}): Prompt {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return {
    body: Buffer.from(text),
    wire,
    line: { model: "m", stream: false },
    vendor: "anthropic",
    tokenizer: "o200k",
    ratio: 1,
    takesSystemMessages: true,
    ...fields,
  };
}

/** The options of a plan for one strategy, without fallbacks, in a window of 2,000 tokens. */
export function makePlan(strategy: string, sizes: Partial<Budget> = {}): PlanOptions {
  const { windowTokens = 2_000, targetTokens = 800, budgetTokens = 1_500 } = sizes;
  const budget = { windowTokens, targetTokens, budgetTokens, triggerTokens: budgetTokens, thresholdPercent: 100 };
  return { strategy, fallbacks: [], windowTokens, budget };
}

/** The content by role: formats differ in how many messages they make of it. */
export function saidIn(messages: readonly Message[]): readonly Message[] {
  const said: Message[] = [];
  for (const { role, blocks } of messages) {
    const last = said.at(-1);
    if (last?.role === role) said[said.length - 1] = { role, blocks: [...last.blocks, ...blocks] };
    else said.push({ role, blocks });
  }
  return said;
}
