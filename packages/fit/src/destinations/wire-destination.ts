import type { WireId } from "@longhaul/conversation";
import type { Model } from "@longhaul/models";
import type { Upstream } from "@longhaul/upstream";
import { codecOf, type ReasoningRules, type WireDestination } from "@longhaul/wire";
import type { Call } from "../request/call.ts";
import type { Destination } from "./destination.ts";

/** Returns the facts about model and deployment that the encoder needs. */
export function wireDestination({ handle, model, match }: Destination): WireDestination {
  const { upstream } = handle.connection;
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
    // If absent, the format's own rule applies.
    ...(rejects("system-message") && { systemMessages: false }),
    // Gemini 3 and later, the models with thinking levels, require a signature on every round of calls
    // (docs/wire/gemini.md).
    signedCalls: facts.vendor === "google" && facts.reasoning.kind === "level",
    ...chatRules(upstream, facts),
    ...demandOf(model, facts),
  };
}

const SAMPLING = [
  ["temperature", "temperature"],
  ["top_p", "topP"],
  ["top_k", "topK"],
  ["frequency_penalty", "frequencyPenalty"],
  ["presence_penalty", "presencePenalty"],
] as const;

function reasoningRules({ reasoning, vendor }: Model): ReasoningRules {
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
      return {
        modes: [...off, "budget", ...(vendor === "google" ? (["adaptive"] as const) : [])],
        efforts: levels.filter((level) => level !== "none"),
        ...budget,
      };
    case "adaptive":
      return { modes: [...off, "adaptive", "effort", ...budgetMode(reasoning)], efforts: levels, ...budget };
    default:
      return reasoning.kind satisfies never;
  }
}

/** Some models with adaptive thinking still accept budgets. */
function budgetMode({ thinkingTypes }: Model["reasoning"]): readonly "budget"[] {
  return thinkingTypes.includes("enabled") ? ["budget"] : [];
}

/** Models that refuse calls without the thinking before them (docs/wire/openai-chat.md#thinking). */
function demandOf(name: string, { vendor, reasoning }: Model): Pick<WireDestination, "demandsThinking"> {
  if (reasoning.kind === "none") return {};
  if (/deepseek|kimi/i.test(name)) return { demandsThinking: "always" };
  return vendor === "anthropic" ? { demandsThinking: "in-loop" } : {};
}

function chatRules({ deployment }: Upstream, { rejects, vendor }: Model): Partial<WireDestination> {
  if (deployment.quirks.chat === undefined) return {};
  const { maxTokensField, cacheMarks, ...fields } = deployment.quirks.chat;
  const isNewLimit = maxTokensField === "by-model" && rejects.includes("max_tokens");
  const hasMarks = cacheMarks === "claude" && vendor === "anthropic";
  return {
    ...fields,
    maxTokensField: isNewLimit ? "max_completion_tokens" : "max_tokens",
    ...(cacheMarks !== undefined && { cacheMarks: hasMarks ? "cache_control" : "none" }),
  };
}

/** Returns the headers for an upstream: all of the client's if it has the client's format, else only the credential. */
export function headersFor(
  { headers, endpoint }: Pick<Call, "headers" | "endpoint">,
  { wire }: Pick<Destination, "wire">,
): Call["headers"] {
  return endpoint.wire === wire ? headers : plainHeaders(headers, wire);
}

/**
 * Returns only the client's credential. Headers for the client's own vendor, such as versions, betas and session ids, are not sent to
 * another one.
 */
export function plainHeaders(client: Call["headers"], wire: WireId): Call["headers"] {
  const { authorization, "x-api-key": key, "x-goog-api-key": googleKey } = client;
  const given = { authorization, "x-api-key": key, "x-goog-api-key": googleKey };
  const credentials = Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return { ...Object.fromEntries(credentials), ...codecOf(wire).api.headers };
}

/** Headers of one call only: its idempotency key and the answer's media type. */
const OF_ONE_CALL = new Set(["idempotency-key", "accept"]);

/** Returns the headers of a call that also apply to other calls of its conversation. */
export function lastingHeaders(headers: Call["headers"]): Call["headers"] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_ONE_CALL.has(name)));
}
