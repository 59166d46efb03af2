import type { Block, CacheMark, Carrier, TextBlock } from "./block.ts";
import type { JsonObject } from "./values/json.ts";

/** Author of a message. Tool results have the role `user`; `system` is for instructions in mid-conversation. */
export type Role = "user" | "assistant" | "system";

/** One entry of the history, as the client counts them. */
export interface Message extends Carrier {
  readonly role: Role;
  readonly blocks: readonly Block[];
}

/** A tool that the model may call. */
export interface Tool extends Carrier {
  readonly name: string;
  readonly description?: string;
  /** JSON Schema of the input. Absent for free-text tools and the vendor's built-in tools. */
  readonly inputSchema?: JsonObject;
  /** `function` has a schema, `custom` takes free text, `server` runs at the vendor and exists only in its own format. */
  readonly kind: "function" | "custom" | "server";
  readonly cache?: CacheMark;
}

/** Everything that the model reads. */
export interface Conversation {
  readonly system: readonly Block[];
  readonly tools: readonly Tool[];
  readonly messages: readonly Message[];
}

/** Returns a message with a single text block. */
export function textMessage(role: Role, text: string): Message {
  return { role, blocks: [textBlock(text)] };
}

/** Returns a text block. */
export function textBlock(text: string): TextBlock {
  return { type: "text", text };
}
