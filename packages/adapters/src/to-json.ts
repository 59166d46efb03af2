import { isJsonValue, type JsonValue } from "@longhaul/conversation";

/** A value as JSON: itself where it is JSON already, else what JSON keeps of it. */
export function toJson(value: unknown): JsonValue {
  if (isJsonValue(value)) return value;
  const copied: unknown = JSON.parse(JSON.stringify(value) ?? "null");
  return isJsonValue(copied) ? copied : String(value);
}
