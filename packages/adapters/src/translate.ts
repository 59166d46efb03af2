import type { Draft, KeptSlot } from "@longhaul/condense";
import { isJsonValue, type JsonValue, type Message, parseJsonText } from "@longhaul/conversation";

/** How one framework's messages are written. */
interface MessageWriter<Theirs> {
  /** A message that stands in the conversation although nobody said it. */
  write(message: Message): Theirs;
  /** A message that was changed; `slot` says which of its parts are left and what they came from. */
  rewrite(original: Theirs, slot: KeptSlot): Theirs;
}

/** The messages of a draft in a framework's own form. One that nothing was done to is the original itself. */
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

/** A value as JSON: itself where it is JSON already, else what JSON keeps of it. */
export function toJson(value: unknown): JsonValue {
  if (isJsonValue(value)) return value;
  const copied: unknown = parseJsonText(JSON.stringify(value) ?? "null");
  return isJsonValue(copied) ? copied : String(value);
}
