import { telemetryName } from "@longhaul/models/kinds";
import { hasResult, type RequestEvent } from "@longhaul/store";
import type { EndedRequest, Observer } from "../events/observer.ts";
import type { Figure, Registry } from "./registry.ts";
import { operationName } from "./spans.ts";

/** Counts finished requests and condensations in a registry. Model names that the catalog does not list become `other`. */
export function countEvents(registry: Registry): Observer {
  const known = new Map<string, CallFigures>();
  return {
    finished: (request) => {
      const { event, platform, family } = request;
      const key = `${event.wire}/${event.action}/${platform}/${family}/${event.upstream}/${event.status}`;
      const figures = known.get(key) ?? figuresOf(registry, request);
      if (known.size < MAX_KNOWN) known.set(key, figures);
      countRequest(registry, event, figures);
    },
    condensed: (event) => {
      const { strategy, costUsd, ms } = event;
      if (hasResult(event)) registry.find("condensations", [strategy]).add(1);
      registry.find("condensingUsd", [strategy]).add(costUsd);
      registry.find("condensing", [strategy]).add(ms / 1_000);
    },
  };
}

/** Combinations of labels whose figures are kept, so that they need no lookup. */
const MAX_KNOWN = 1_000;

/** The figures of requests with the same labels. */
interface CallFigures {
  readonly model: string;
  readonly always: Readonly<Record<"requests" | "duration" | "firstByte" | "added", Figure>>;
  /** Looked up on first use, so that a metric without values is not reported. */
  find(name: "cost" | "tokens" | "callTokens", label?: string): Figure;
}

function figuresOf(registry: Registry, { event, platform, family }: EndedRequest): CallFigures {
  const model = family === "" ? "other" : family;
  const upstream = [telemetryName(platform), model, event.upstream];
  const call = [operationName(event), ...upstream];
  const found = new Map<string, Figure>();
  return {
    model,
    always: {
      requests: registry.find("requests", [event.wire, ...call, `${event.status}`]),
      duration: registry.find("duration", call),
      firstByte: registry.find("firstByte", call),
      added: registry.find("added", [event.wire]),
    },
    find: (name, label = "") => {
      const labels = [...(name === "callTokens" ? call : upstream), ...(label === "" ? [] : [label])];
      const figure = found.get(name + label) ?? registry.find(name, labels);
      found.set(name + label, figure);
      return figure;
    },
  };
}

function countRequest(registry: Registry, event: RequestEvent, { model, always, find }: CallFigures): void {
  always.requests.add(1);
  always.duration.add(event.ms / 1_000);
  always.firstByte.add(event.firstByteMs / 1_000);
  always.added.add(event.addedMs / 1_000);
  if (event.costUsd > 0) find("cost").add(event.costUsd);
  if (event.attempts > 1) registry.find("retries", [event.upstream]).add(event.attempts - 1);
  if (event.strategy !== "") countSaved(registry, model, event);
  countTokens(event, find);
}

function countSaved(registry: Registry, model: string, event: RequestEvent): void {
  const { originalTokens, sentTokens, strategy, savedUsd, copiedMarks } = event;
  if (copiedMarks > 0) registry.find("copiedMarks", [model, strategy]).add(copiedMarks);
  registry.find("savedTokens", [model, strategy]).add(Math.max(0, originalTokens - sentTokens));
  registry.find("savedUsd", [model, strategy]).add(savedUsd);
}

function countTokens(event: RequestEvent, find: CallFigures["find"]): void {
  const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens, reasoningTokens } = event;
  if (inputTokens > 0) find("tokens", "input").add(inputTokens);
  if (cacheReadTokens > 0) find("tokens", "cache_read").add(cacheReadTokens);
  if (cacheWriteTokens > 0) find("tokens", "cache_write").add(cacheWriteTokens);
  if (outputTokens > 0) find("tokens", "output").add(outputTokens);
  if (reasoningTokens > 0) find("tokens", "reasoning").add(reasoningTokens);
  const prompt = inputTokens + cacheReadTokens + cacheWriteTokens;
  if (prompt > 0) find("callTokens", "input").add(prompt);
  if (outputTokens > 0) find("callTokens", "output").add(outputTokens);
}
