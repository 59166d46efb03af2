import type { Draft, KeptSlot } from "@longhaul/condense/advanced";
import { isJsonValue, type JsonValue, type Message, parseJsonText } from "@longhaul/conversation";

/** Writes the messages of one framework. */
interface MessageWriter<Theirs> {
  /** Writes a message that is not in the original conversation. */
  write(message: Message): Theirs;
  /** Writes a changed message. `slot` has its remaining parts and their sources. */
  rewrite(original: Theirs, slot: KeptSlot): Theirs;
}

/** Encodes the messages of a draft for a framework. Unchanged messages are the identical objects. */
export function encodeDraft<Theirs>(
  { slots }: Draft,
  originals: readonly Theirs[],
  { write, rewrite }: MessageWriter<Theirs>,
): Theirs[] {
  return slots.map((slot) => {
    const original = slot.kind === "kept" ? originals[slot.index] : undefined;
    if (slot.kind === "made" || original === undefined) return write(slot.message);
    return slot.changes.length === 0 ? original : rewrite(original, slot);
  });
}

/** Returns a JSON value itself, and for other values what JSON keeps of them. */
export function toJson(value: unknown): JsonValue {
  if (isJsonValue(value)) return value;
  const copied: unknown = parseJsonText(JSON.stringify(value) ?? "null");
  return isJsonValue(copied) ? copied : String(value);
}

/** Whether a value is an object with named fields, of any class. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
