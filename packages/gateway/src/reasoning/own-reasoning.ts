import { isJsonObject, type JsonValue, LonghaulError, type Request, type WireId } from "@longhaul/conversation";
import { describeReasoning, type Model } from "@longhaul/models";
import { asBuffer } from "../as-buffer.ts";

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

/** What a body says somewhere that wants or has to do with reasoning; looked for in the bytes, because most bodies are long. */
const MENTIONS = ['"thinking"', '"output_config"', '"reasoning', '"thinkingConfig"', '"thinking_config"'];

/** Whether a body may say something about thinking; where it does not, it says nothing. */
export function mentionsReasoning(body: Uint8Array): boolean {
  const bytes = asBuffer(body);
  return MENTIONS.some((name) => bytes.includes(name));
}
