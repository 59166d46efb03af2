import { LonghaulError } from "./error.ts";
import type { Message } from "./message.ts";

/** Refuses a conversation that has nothing to send. */
export function requireMessages(messages: readonly Message[]): void {
  if (messages.length === 0) throw new LonghaulError("VALIDATION_ERROR", "Conversation has no messages");
}

/** Refuses a context limit that no conversation can fit. */
export function requireContextLimit(tokens: number): void {
  if (!(tokens > 0)) throw new LonghaulError("VALIDATION_ERROR", "Context limit must be positive");
}
