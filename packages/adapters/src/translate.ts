import type { Draft, KeptSlot } from "@longhaul/condense/advanced";
import {
  isJsonValue,
  isMessage,
  type JsonValue,
  LonghaulError,
  type Message,
  parseJsonText,
} from "@longhaul/conversation/advanced";

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

/** Decodes messages of one framework. A value that is none throws `request.malformed` with its position and the remedy. */
export function decodeEach<Theirs>(
  messages: readonly Theirs[],
  { decode, remedy, from = 0 }: { decode: (message: Theirs) => Message; remedy: string; from?: number },
): Message[] {
  return messages.map((message, index) => {
    const decoded = attempt(() => decode(message));
    if (isMessage(decoded)) return decoded;
    throw new LonghaulError("request.malformed", `messages[${from + index}] is not ${remedy}`);
  });
}

/** Decoders read what the framework's types promise; a value of another shape makes that a `TypeError`. */
function attempt(decode: () => Message): Message | undefined {
  try {
    return decode();
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** Returns a JSON value itself, and for other values what JSON keeps of them. Throws `request.malformed` for values that JSON cannot have. */
export function toJson(value: unknown): JsonValue {
  if (isJsonValue(value)) return value;
  const copied: unknown = parseJsonText(serialized(value));
  return isJsonValue(copied) ? copied : String(value);
}

function serialized(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "null";
  } catch (error) {
    const [why = ""] = error instanceof Error ? error.message.split("\n") : [];
    throw new LonghaulError("request.malformed", `a message or tool cannot be written as JSON: ${why}`);
  }
}

/** Whether a value is an object with named fields, of any class. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
