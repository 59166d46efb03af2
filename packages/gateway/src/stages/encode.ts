import type { Model } from "@longhaul/models";
import type { Outgoing, Upstream } from "@longhaul/upstream";
import {
  codecOf,
  NOTHING_TO_RESTORE,
  type ReasoningRules,
  type Restore,
  type Span,
  type Warning,
  type Target as WireTarget,
} from "@longhaul/wire";
import type { Call } from "../call.ts";
import type { Target } from "../target.ts";

/** A call made ready for one target. */
export interface Encoded {
  readonly outgoing: Outgoing;
  /** What the target could not be told as the client said it. */
  readonly warnings: readonly Warning[];
  /** What to undo in the answer. */
  readonly restore: Restore;
  /** Whether the answer's bytes can go to the client as they are. */
  readonly isSameFormat: boolean;
}

/** Writes a call for a target. The same format and the same model: the client's bytes, untouched. */
export function encode(call: Call, target: Target): Encoded {
  const isSameFormat = call.codec.id === target.wire && call.endpoint.wire === target.wire;
  const isGenerating = call.endpoint.action === "generate";
  if (isSameFormat && (call.model === target.model || !isGenerating)) return untouched(call, target);
  const request = target.wire === call.codec.id ? call.request() : call.wholeRequest();
  // A stream that the client gets as it comes holds only what the client asked for.
  const rules = { ...wireTarget(target), streamUsage: !isSameFormat };
  const { body, warnings, restore } = codecOf(target.wire).encodeRequest(request, rules);
  const bytes = new TextEncoder().encode(JSON.stringify(body));
  return {
    outgoing: outgoingOf(call, target, { body: bytes, stream: request.stream }),
    warnings,
    restore,
    isSameFormat,
  };
}

function untouched(call: Call, target: Target): Encoded {
  const stream = needsToKnow(target) ? call.wantsStream() : false;
  const body = call.model === target.model ? call.body : renamed(call.body, call.modelSpan(), target.model);
  const outgoing = outgoingOf(call, target, { body, stream });
  return { outgoing, warnings: [], restore: NOTHING_TO_RESTORE, isSameFormat: true };
}

/** A body with another model's name at this place; every other byte stays. */
export function renamed(body: Uint8Array, at: Span | undefined, model: string): Uint8Array {
  if (at === undefined) return body;
  return Buffer.concat([body.subarray(0, at.from), Buffer.from(JSON.stringify(model)), body.subarray(at.to)]);
}

/** Only places that say it in the path need to know whether the answer is streamed. */
function needsToKnow({ place }: Target): boolean {
  const { deployment } = place.connection.upstream;
  return deployment.platform !== "anthropic" && deployment.platform !== "openai" && deployment.platform !== "other";
}

function outgoingOf(call: Call, target: Target, { body, stream }: { body: Uint8Array; stream: boolean }): Outgoing {
  return {
    wire: target.wire,
    action: call.endpoint.action,
    method: call.endpoint.method,
    model: target.model,
    stream,
    body,
    headers: headersFor(call, target),
  };
}

/** Another vendor is not told what belongs to the client's own: versions, betas, session ids. */
function headersFor({ headers, endpoint }: Call, { wire }: Target): Call["headers"] {
  if (endpoint.wire === wire) return headers;
  const { authorization, "x-api-key": key, "x-goog-api-key": googleKey } = headers;
  const given = { authorization, "x-api-key": key, "x-goog-api-key": googleKey };
  const credentials = Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const version = wire === "anthropic-messages" ? { "anthropic-version": ANTHROPIC_VERSION } : {};
  return { ...Object.fromEntries(credentials), ...version };
}

/** What the Messages API is asked for where the client speaks another format. */
const ANTHROPIC_VERSION = "2023-06-01";

/** What the encoder must know of model and place, told from the catalog. */
export function wireTarget({ place, model, match }: Target): WireTarget {
  const { upstream } = place.connection;
  const facts = match.model;
  const rejects = (name: Model["rejects"][number]) => facts.rejects.includes(name);
  return {
    model,
    vendor: upstream.deployment.vendor,
    maxOutputTokens: facts.maxOutput,
    rejects: SAMPLING.flatMap(([name, field]) => (rejects(name) ? [field] : [])),
    reasoning: reasoningRules(facts),
    forcedToolChoice: !rejects("forced-tool-choice"),
    prefill: !rejects("prefill"),
    // Gemini 3 and later, the models with thinking levels, want a signature on every round of calls (docs/wire/gemini.md).
    signedCalls: facts.vendor === "google" && facts.reasoning.kind === "level",
    ...chatRules(upstream, facts),
  };
}

const SAMPLING = [
  ["temperature", "temperature"],
  ["top_p", "topP"],
  ["top_k", "topK"],
  ["frequency_penalty", "frequencyPenalty"],
  ["presence_penalty", "presencePenalty"],
] as const;

function reasoningRules({ reasoning }: Model): ReasoningRules {
  const { levels, minBudgetTokens, maxBudgetTokens } = reasoning;
  const budget = { ...(minBudgetTokens && { minBudgetTokens }), ...(maxBudgetTokens && { maxBudgetTokens }) };
  const off = reasoning.mandatory ? [] : (["off"] as const);
  switch (reasoning.kind) {
    case "none":
      return { modes: ["off"] };
    case "effort":
    case "level":
      return { modes: [...off, "effort"], efforts: levels };
    case "budget":
      return { modes: [...off, "budget"], ...budget };
    case "adaptive":
      return { modes: [...off, "adaptive", "effort"], efforts: levels };
    default:
      return reasoning.kind satisfies never;
  }
}

function chatRules({ deployment }: Upstream, { rejects, vendor }: Model): Partial<WireTarget> {
  if (deployment.vendor === "openrouter") {
    const cacheMarks = vendor === "anthropic" ? ("cache_control" as const) : ("none" as const);
    return {
      maxTokensField: "max_tokens",
      reasoningField: "reasoning",
      thinkingField: "reasoning_details",
      cacheMarks,
      topK: true,
    };
  }
  if (deployment.vendor === "openai-compatible") {
    return {
      maxTokensField: rejects.includes("max_tokens") ? "max_completion_tokens" : "max_tokens",
      thinkingField: "reasoning_content",
    };
  }
  return {};
}
