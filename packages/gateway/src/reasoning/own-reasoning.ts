import { EFFORTS, isJsonObject, type JsonValue, LonghaulError, type Request, table } from "@longhaul/conversation";
import { describeReasoning, type Model } from "@longhaul/models";

/** A place where a format says how hard to think, and which values mean something there. */
type Field = readonly [path: string, isKnown: (value: JsonValue) => boolean];

const CONFIG = "generationConfig.thinkingConfig";

const FIELDS: Readonly<Record<string, readonly Field[]>> = table({
  "anthropic-messages": [
    ["thinking", (value) => isJsonObject(value) && (value.type !== "enabled" || value.budget_tokens !== undefined)],
    ["thinking.type", isOneOf(["enabled", "disabled", "adaptive", "between_tools"])],
    ["thinking.budget_tokens", isNumber],
    ["output_config.effort", isOneOf(EFFORTS)],
  ],
  "openai-chat": [
    ["reasoning_effort", isOneOf(EFFORTS)],
    ["reasoning", isJsonObject],
    ["reasoning.effort", isOneOf(EFFORTS)],
    ["reasoning.max_tokens", isNumber],
  ],
  "openai-responses": [
    ["reasoning", isJsonObject],
    ["reasoning.effort", isOneOf(EFFORTS)],
  ],
  gemini: [
    [CONFIG, isJsonObject],
    [`${CONFIG}.thinkingLevel`, (value) => typeof value === "string" && isLevel(value.toLowerCase())],
    [`${CONFIG}.thinkingBudget`, (value) => typeof value === "number" && value >= -1],
  ],
});

const isLevel = isOneOf([...EFFORTS, "thinking_level_unspecified"]);

function isNumber(value: JsonValue): boolean {
  return typeof value === "number";
}

function isOneOf(words: readonly string[]): (value: JsonValue) => boolean {
  return (value) => typeof value === "string" && words.includes(value);
}

/** Refuses what a client says about thinking in no words that anybody knows; `request.malformed` names the model and what it takes. */
export function checkOwnReasoning({ native, extra, model: name }: Request, model: Model): void {
  // What could be read is no longer among the fields that ride along.
  const odd = FIELDS[native?.wire ?? ""]?.find(([path, isKnown]) => {
    const value = valueAt(extra, path) ?? undefined;
    return value !== undefined && !isKnown(value);
  });
  if (odd === undefined) return;
  const [field] = odd;
  const value = shown(valueAt(extra, field));
  throw new LonghaulError(
    "request.malformed",
    `${field}: ${value} says nothing about thinking that the model "${name}" understands; ${describeReasoning(model)}`,
    { param: field },
  );
}

function valueAt(extra: JsonValue | undefined, path: string): JsonValue | undefined {
  return path.split(".").reduce((value, name) => (isJsonObject(value) ? value[name] : undefined), extra);
}

const MAX_SHOWN_CHARS = 100;

function shown(value: JsonValue | undefined): string {
  return (JSON.stringify(value) ?? "").slice(0, MAX_SHOWN_CHARS);
}
