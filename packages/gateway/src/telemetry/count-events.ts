import type { RequestEvent } from "@longhaul/store";
import type { EndedRequest, Observer } from "../events/observer.ts";
import { operationName, providerName } from "./provider-name.ts";
import type { Registry } from "./registry.ts";

/** Counts what happens into a registry. Names that clients make up are not told apart. */
export function countEvents(registry: Registry): Observer {
  return {
    finished: (request) => countRequest(registry, request),
    condensed: ({ strategy, costUsd, ms }) => {
      registry.add("condensations", [strategy], 1);
      registry.add("condensingUsd", [strategy], costUsd);
      registry.observe("condensing", [strategy], ms / 1_000);
    },
  };
}

function countRequest(registry: Registry, { event, platform, family }: EndedRequest): void {
  const { add, observe } = registry;
  const model = family === "" ? "other" : family;
  const place = [providerName(platform), model, event.upstream];
  const call = [operationName(event), ...place];
  add("requests", [event.wire, ...call, `${event.status}`], 1);
  observe("duration", call, event.ms / 1_000);
  observe("firstByte", call, event.firstByteMs / 1_000);
  observe("added", [event.wire], event.addedMs / 1_000);
  if (event.attempts > 1) add("retries", [event.upstream], event.attempts - 1);
  if (event.costUsd > 0) add("cost", place, event.costUsd);
  if (event.strategy !== "") countSaved(registry, model, event);
  countTokens(registry, { event, place, call });
}

function countSaved({ add }: Registry, model: string, event: RequestEvent): void {
  const { originalTokens, sentTokens, strategy, savedUsd } = event;
  add("savedTokens", [model, strategy], Math.max(0, originalTokens - sentTokens));
  add("savedUsd", [model, strategy], savedUsd);
}

interface Counting {
  readonly event: RequestEvent;
  readonly place: readonly string[];
  readonly call: readonly string[];
}

function countTokens({ add, observe }: Registry, { event, place, call }: Counting): void {
  const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens, reasoningTokens } = event;
  const prompt = { input: inputTokens, cache_read: cacheReadTokens, cache_write: cacheWriteTokens };
  for (const [kind, tokens] of Object.entries({ ...prompt, output: outputTokens, reasoning: reasoningTokens })) {
    if (tokens > 0) add("tokens", [...place, kind], tokens);
  }
  const both = { input: inputTokens + cacheReadTokens + cacheWriteTokens, output: outputTokens };
  for (const [type, tokens] of Object.entries(both)) {
    if (tokens > 0) observe("callTokens", [...call, type], tokens);
  }
}
