import { isJsonArray, isJsonObject, type JsonValue } from "@longhaul/conversation/advanced";
import type { MessageCodec } from "./codec.ts";

/** Whether an entry of a message list has a feature that only this format has. */
export function isOwnEntry({ own }: Pick<MessageCodec, "own">, entry: JsonValue): boolean {
  if (!isJsonObject(entry)) return false;
  const { fields = [], roles = [], types = [], parts = [] } = own;
  if (fields.some((field) => field in entry)) return true;
  if (includes(roles, entry.role) || includes(types, entry.type)) return true;
  const { content = [] } = entry;
  return isJsonArray(content) && content.some((part) => isJsonObject(part) && includes(parts, part.type));
}

function includes(names: readonly string[], value: JsonValue | undefined): boolean {
  return typeof value === "string" && names.includes(value);
}
