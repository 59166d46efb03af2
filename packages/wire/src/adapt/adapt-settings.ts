import {
  budgetOfEffort,
  EFFORTS,
  type Effort,
  effortOfBudget,
  nearestEffort,
  pureHash,
  type Reasoning,
  type Request,
  type Sampling,
  table,
} from "@longhaul/conversation/advanced";
import type { AdaptContext, ReasoningRules } from "../codec/rules.ts";
import { defined, sameValue } from "../fields/json.ts";

/** Drops or limits settings to what the model and the format accept. */
export function adaptSettings(request: Request, context: AdaptContext): Request {
  const named =
    request.model === context.destination.model ? request : { ...request, model: context.destination.model };
  return [adaptSampling, adaptLength, adaptParallel, adaptFormat, adaptUser].reduce(
    (adapted, adapt) => adapt(adapted, context),
    named,
  );
}

const NAMES = ["temperature", "topP", "topK", "frequencyPenalty", "presencePenalty", "seed", "stopSequences"] as const;

function adaptSampling(request: Request, context: AdaptContext): Request {
  const { rules, destination, warn } = context;
  const dropped = NAMES.filter((name) => {
    if (request.sampling[name] === undefined) return false;
    if (name === "topK" && destination.topK === true) return false;
    const isLacking = name !== "temperature" && name !== "topP" && rules.lacks[`sampling.${name}`] === "drop";
    return isLacking || destination.rejects?.includes(name) === true;
  });
  for (const name of dropped) {
    const message = destination.rejects?.includes(name) ? "the model rejects it" : `${rules.wire} does not support it`;
    warn(`sampling.${name}`, "dropped", message);
  }
  const kept = Object.entries(request.sampling).filter(([name]) => !dropped.some((other) => other === name));
  const sampling: Sampling = dropped.length === 0 ? request.sampling : Object.fromEntries(kept);
  const limited = limitSampling(sampling, context);
  return limited === request.sampling ? request : { ...request, sampling: limited };
}

function limitSampling(sampling: Sampling, context: AdaptContext): Sampling {
  const temperature = limitTemperature(sampling.temperature, context);
  const stopSequences = limitStops(sampling.stopSequences, context);
  const isSame = temperature === sampling.temperature && stopSequences === sampling.stopSequences;
  return isSame ? sampling : { ...sampling, ...defined({ temperature, stopSequences }) };
}

function limitTemperature(temperature: number | undefined, { rules, warn }: AdaptContext): number | undefined {
  if (temperature === undefined || temperature <= rules.maxTemperature) return temperature;
  warn("sampling.temperature", "changed", `the maximum is ${rules.maxTemperature}`);
  return rules.maxTemperature;
}

const VISIBLE = /\S/;

function limitStops(
  stops: readonly string[] | undefined,
  { rules, warn }: AdaptContext,
): readonly string[] | undefined {
  if (stops === undefined) return undefined;
  const feature = "sampling.stopSequences";
  const visible = rules.refusesBlankText ? stops.filter((stop) => VISIBLE.test(stop)) : stops;
  if (visible.length < stops.length) warn(feature, "changed", "a stop sequence of only whitespace was removed");
  const kept = visible.slice(0, rules.maxStopSequences);
  if (kept.length < visible.length) {
    warn(feature, "changed", `only the first ${rules.maxStopSequences} stop sequences were sent`);
  }
  return kept.length === stops.length ? stops : kept;
}

function adaptLength(request: Request, { destination, warn }: AdaptContext): Request {
  const { maxOutputTokens } = request;
  const most = destination.maxOutputTokens;
  if (most === undefined || maxOutputTokens === undefined || maxOutputTokens <= most) return request;
  warn("maxOutputTokens", "changed", `the model's limit is ${most} tokens`);
  return { ...request, maxOutputTokens: most };
}

function adaptParallel(request: Request, { rules, warn }: AdaptContext): Request {
  const { parallelToolCalls, ...rest } = request;
  if (parallelToolCalls === undefined || rules.lacks.parallelToolCalls === undefined) return request;
  if (!parallelToolCalls) {
    warn("parallelToolCalls", "dropped", `${rules.wire} cannot limit the model to one tool call at a time`);
  }
  return rest;
}

function adaptFormat(request: Request, { rules, warn }: AdaptContext): Request {
  const { outputFormat, ...rest } = request;
  if (outputFormat?.kind !== "json" || rules.lacks["outputFormat.json"] === undefined) return request;
  const message = `${rules.wire} supports JSON replies only with a schema; add one, or ask for JSON in the prompt`;
  warn("outputFormat.json", "dropped", message);
  return rest;
}

function adaptUser(request: Request, { rules, warn }: AdaptContext): Request {
  const { user, ...rest } = request;
  if (user === undefined) return request;
  if (rules.lacks.user !== undefined) {
    warn("user", "dropped", `${rules.wire} has no field for it`);
    return rest;
  }
  if (user.length <= rules.maxUserChars) return request;
  warn("user", "changed", `longer than ${rules.maxUserChars} characters; a hash was sent instead`);
  return { ...request, user: pureHash(user) };
}

/** The modes that can express each requested mode, best first. */
const MODES: Readonly<Record<Reasoning["mode"], readonly Reasoning["mode"][]>> = table({
  off: ["off", "effort"],
  effort: ["effort", "budget", "adaptive"],
  budget: ["budget", "adaptive", "effort"],
  adaptive: ["adaptive", "effort", "budget"],
});

/** Converts the requested reasoning to a mode, effort or budget that the model supports. */
export function adaptReasoning(request: Request, { rules, destination, warn }: AdaptContext): Request {
  const { reasoning, ...rest } = request;
  if (reasoning === undefined) return request;
  const known = destination.reasoning ?? rules.reasoning;
  const mode = MODES[reasoning.mode].find((candidate) => known.modes.includes(candidate));
  if (mode === undefined) {
    warn("reasoning", "dropped", `the model does not support the mode "${reasoning.mode}"; its default applies`);
    return rest;
  }
  const adapted = limit(inMode(reasoning, mode), known, request.maxOutputTokens ?? destination.maxOutputTokens);
  if (sameValue(adapted, reasoning)) return request;
  warn("reasoning", "changed", `${describe(reasoning)} was sent as ${describe(adapted)}`);
  return { ...rest, reasoning: adapted };
}

function inMode(reasoning: Reasoning, mode: Reasoning["mode"]): Reasoning {
  if (mode === reasoning.mode) return reasoning;
  const { budgetTokens, effort, ...rest } = reasoning;
  const level = effort ?? (budgetTokens === undefined ? undefined : effortOfBudget(budgetTokens));
  if (reasoning.mode === "off") return { ...rest, mode, effort: "none" };
  if (mode === "budget") return { ...rest, mode, budgetTokens: budgetOfEffort(level ?? "medium") };
  return level === undefined ? { ...rest, mode } : { ...rest, mode, effort: level };
}

/** Output limit that a budget must stay below if neither the client nor the destination sets one. */
const DEFAULT_OUTPUT = 8_192;

function limit(reasoning: Reasoning, known: ReasoningRules, maxOutputTokens = DEFAULT_OUTPUT): Reasoning {
  const leveled = limitEffort(reasoning, known.efforts ?? EFFORTS);
  const { mode, budgetTokens } = leveled;
  if (budgetTokens === undefined || mode !== "budget") return leveled;
  const most = Math.min(known.maxBudgetTokens ?? budgetTokens, budgetTokens, maxOutputTokens - 1);
  return { ...leveled, budgetTokens: Math.max(known.minBudgetTokens ?? 0, most) };
}

/** Replaces the effort with the nearest supported one, or removes it if the model has no levels. */
function limitEffort(reasoning: Reasoning, known: readonly Effort[]): Reasoning {
  const { effort, ...rest } = reasoning;
  if (effort === undefined) return reasoning;
  return known.length === 0 ? rest : { ...rest, effort: nearestEffort(effort, known) };
}

function describe({ mode, effort, budgetTokens }: Reasoning): string {
  const amount = mode === "budget" ? ` of ${budgetTokens} tokens` : effort === undefined ? "" : ` ${effort}`;
  return `reasoning "${mode}"${amount}`;
}
