import { type JsonObject, objectsIn, omit, textIn } from "../core/json.ts";

/** A message with its content as blocks, however the client spelled it. */
export interface Message {
  readonly role: string;
  readonly blocks: readonly JsonObject[];
}

/** The messages of a request. */
export function messagesIn(body: JsonObject): readonly Message[] {
  return objectsIn(body.messages).map(({ role, content }) => ({ role: textIn(role), blocks: blocksIn(content) }));
}

/** Content as blocks. */
export function blocksIn(content: unknown): readonly JsonObject[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : objectsIn(content);
}

/** A block and where it stands. */
export interface PlacedBlock {
  readonly message: number;
  readonly index: number;
  readonly role: string;
  readonly block: JsonObject;
}

/** All blocks in order, each with its place. */
export function placedBlocks(messages: readonly Message[]): readonly PlacedBlock[] {
  return messages.flatMap(({ role, blocks }, message) =>
    blocks.map((block, index) => ({ message, index, role, block })),
  );
}

/** A place as error messages write it. */
export function pathOf({ message, index }: Pick<PlacedBlock, "message" | "index">): string {
  return `messages.${message}.content.${index}`;
}

/** Consecutive messages of one role count as one turn. */
export function turnsIn(messages: readonly Message[]): readonly (readonly PlacedBlock[])[] {
  const turns: PlacedBlock[][] = [];
  for (const placed of placedBlocks(messages)) {
    const last = turns.at(-1);
    if (last?.[0]?.role === placed.role) last.push(placed);
    else turns.push([placed]);
  }
  return turns;
}

/** Whether a block holds reasoning. */
export function isThinking({ type }: JsonObject): boolean {
  return type === "thinking" || type === "redacted_thinking";
}

/** The same messages with some blocks changed or taken out; messages that lose all their blocks stay, empty. */
export function mapBlocks(
  messages: readonly Message[],
  change: (placed: PlacedBlock) => JsonObject | undefined,
): readonly Message[] {
  return messages.map(({ role, blocks }, message) => {
    const changed = blocks.map((block, index) => change({ message, index, role, block }));
    return { role, blocks: changed.filter((block) => block !== undefined) };
  });
}

/** What a block says, without how it is cached and without fields that a reply adds: equal blocks give equal texts. */
export function spellBlock(block: JsonObject): string {
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
