import { isJsonObject, type JsonValue, LonghaulError, type Request } from "@longhaul/conversation";
import { describeReasoning, type Model } from "@longhaul/models";
import { findCodec } from "@longhaul/wire";

/** Refuses what a client says about thinking in no words that anybody knows; `request.malformed` names the model and what it takes. */
export function checkOwnReasoning({ native, extra, model: name }: Request, model: Model): void {
  // What could be read is no longer among the fields that ride along.
  const odd = findCodec(native?.wire)?.reasoning.known.find(([path, isKnown]) => {
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
