import type { Block, CacheMark, Carrier, TextBlock } from "./block.ts";
import type { JsonObject } from "./values/json.ts";

/** Who speaks. A tool's answer comes as `user`; `system` stands for instructions given in mid-conversation. */
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
  /** JSON Schema of the input; absent for tools that take free text and for the vendor's own tools. */
  readonly inputSchema?: JsonObject;
  /** `function` has a schema, `custom` takes free text, `server` runs at the vendor and only its own format can express it. */
  readonly kind: "function" | "custom" | "server";
  readonly cache?: CacheMark;
}

/** Everything that the model reads. */
export interface Conversation {
  readonly system: readonly Block[];
  readonly tools: readonly Tool[];
  readonly messages: readonly Message[];
}

/** A message of one text block. */
export function textMessage(role: Role, text: string): Message {
  return { role, blocks: [textBlock(text)] };
}

/** A text block. */
export function textBlock(text: string): TextBlock {
  return { type: "text", text };
}
