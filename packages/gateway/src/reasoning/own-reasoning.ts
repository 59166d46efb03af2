import { isJsonObject, type JsonValue, LonghaulError, type Request, type WireId } from "@longhaul/conversation";
import { describeReasoning, type Model } from "@longhaul/models";
import { splitBody } from "@longhaul/wire";

/** Where each format says how hard to think. */
const FIELDS: Readonly<Record<WireId, readonly string[]>> = {
  "anthropic-messages": ["thinking.type", "output_config.effort"],
  "openai-chat": ["reasoning_effort", "reasoning.effort"],
  "openai-responses": ["reasoning.effort"],
  gemini: ["generationConfig.thinkingConfig.thinkingLevel", "generationConfig.thinkingConfig"],
};

/** Refuses what a client says about thinking in no words that anybody knows; `request.malformed` names the model and what it takes. */
export function checkOwnReasoning({ native, extra, model: name }: Request, model: Model): void {
  // What could be read is no longer among the fields that ride along.
  const field = FIELDS[native?.wire ?? ""]?.find((path) => valueAt(extra, path) !== undefined);
  if (field === undefined) return;
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

/** The fields of a body that have to do with thinking. */
const MENTIONS = [
  "thinking",
  "output_config",
  "reasoning",
  "reasoning_effort",
  "generationConfig",
  "generation_config",
];

/** Whether a body may say something about thinking; where it does not, it says nothing. Only its fields are looked at, not what they hold. */
export function mentionsReasoning(body: Uint8Array, messagesField: string): boolean {
  const fields = splitBody(body, messagesField)?.fields;
  return fields === undefined || MENTIONS.some((name) => fields.has(name));
}
