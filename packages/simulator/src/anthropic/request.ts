import type { Model } from "@longhaul/models/catalog";
import { type JsonObject, objectIn, objectsIn, omit, textIn } from "../core/json.ts";
import type { ApiId } from "../core/prompt.ts";

export interface MessagesRequest {
  readonly api: ApiId;
  readonly body: JsonObject;
  readonly model: Model;
  readonly messages: readonly Message[];
  readonly betas: ReadonlySet<string>;
  readonly isStream: boolean;
  readonly credential: string;
}

/** Whether the request has the beta header of a feature; false if the platform has none for it. */
export function hasBeta({ model, betas }: Pick<MessagesRequest, "model" | "betas">, feature: string): boolean {
  const name = model.betas[feature];
  return name !== undefined && betas.has(name);
}

export function editsIn(body: JsonObject): readonly JsonObject[] {
  return objectsIn(objectIn(body.context_management).edits);
}

/** Returns `thinking.type`, or the model's default. */
export function thinkingType({ body, model }: Pick<MessagesRequest, "body" | "model">): string {
  const given = textIn(objectIn(body.thinking).type);
  if (given !== "") return given;
  return model.reasoning.onByDefault && model.reasoning.thinkingTypes.length > 0 ? "adaptive" : "disabled";
}

const VERSIONED = /claude-(?:[a-z]+-)?(\d+)(?:-(\d{1,2}))?(?!\d)/;
const STOPS_AT_WINDOW = 4.5;

/** Since Claude 4.5 a reply may reach the end of the window; before, input and `max_tokens` had to fit together. */
export function mustFitOutput({ name }: Model): boolean {
  const [, major = "99", minor = "0"] = VERSIONED.exec(name) ?? [];
  return Number(`${major}.${minor}`) < STOPS_AT_WINDOW;
}

/** A message with its content as blocks, in whichever form the client sent it. */
export interface Message {
  readonly role: string;
  readonly blocks: readonly JsonObject[];
}

export function messagesIn(body: JsonObject): readonly Message[] {
  return objectsIn(body.messages).map(({ role, content }) => ({ role: textIn(role), blocks: blocksIn(content) }));
}

export function blocksIn(content: unknown): readonly JsonObject[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : objectsIn(content);
}

export interface LocatedBlock {
  readonly message: number;
  readonly index: number;
  readonly role: string;
  readonly block: JsonObject;
}

export function locatedBlocks(messages: readonly Message[]): readonly LocatedBlock[] {
  return messages.flatMap(({ role, blocks }, message) =>
    blocks.map((block, index) => ({ message, index, role, block })),
  );
}

export function pathOf({ message, index }: Pick<LocatedBlock, "message" | "index">): string {
  return `messages.${message}.content.${index}`;
}

export function turnsIn(messages: readonly Message[]): readonly (readonly LocatedBlock[])[] {
  const turns: LocatedBlock[][] = [];
  for (const located of locatedBlocks(messages)) {
    const last = turns.at(-1);
    if (last?.[0]?.role === located.role) last.push(located);
    else turns.push([located]);
  }
  return turns;
}

export function isThinking({ type }: JsonObject): boolean {
  return type === "thinking" || type === "redacted_thinking";
}

/** Changes or removes blocks; messages that lose all their blocks stay, empty. */
export function mapBlocks(
  messages: readonly Message[],
  change: (located: LocatedBlock) => JsonObject | undefined,
): readonly Message[] {
  return messages.map(({ role, blocks }, message) => {
    const changed = blocks.map((block, index) => change({ message, index, role, block }));
    return { role, blocks: changed.filter((block) => block !== undefined) };
  });
}

/** Returns the content of a block without cache marks and fields added in replies: equal blocks give equal texts. */
export function canonicalText(block: JsonObject): string {
  switch (block.type) {
    case "text":
      return JSON.stringify({ type: "text", text: block.text });
    case "tool_use":
      return JSON.stringify({ type: "tool_use", id: block.id, name: block.name, input: block.input });
    case "tool_result":
      return JSON.stringify({ ...omit(block, "cache_control"), content: contentOf(block) });
    default:
      return JSON.stringify(omit(block, "cache_control"));
  }
}

function contentOf({ content }: JsonObject): unknown {
  return Array.isArray(content) ? objectsIn(content).map((inner) => omit(inner, "cache_control")) : content;
}
