import type { MadeMessage } from "./edit.ts";

/** Stands where messages were dropped, so that the model knows that something is missing. */
export function droppedNote(count: number): MadeMessage {
  const messages = count === 1 ? "1 earlier message" : `${count} earlier messages`;
  return { role: "user", parts: [`⟨ ${messages} removed to fit the context window ⟩`] };
}
