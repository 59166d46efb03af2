import { type Message, table, toolPairs } from "@longhaul/conversation/advanced";
import { blockKey, textsIn } from "../edits/text-position.ts";
import type { Content, Contents, ToolUse } from "./content.ts";
import { readObservations } from "./observations.ts";
import { readXmlTools } from "./xml-tools.ts";

/**
 * Splits messages into contents. Writing every content's text back to its position gives the same messages. `isComposed` means that an
 * XML-tool client composed earlier messages.
 */
export function decompose(messages: readonly Message[], isComposed = false): Contents {
  const known = isComposed ? undefined : remembered.get(messages);
  if (known !== undefined) return known;
  const uses = nativeUses(messages);
  const blockContents = messages.flatMap((message, index) => contentsOf(message, index, uses));
  const found = readObservations(messages, readXmlTools(messages, blockContents, isComposed));
  if (!isComposed) remembered.set(messages, found);
  return found;
}

/** Contents by their messages: a condensation reads the raw conversation several times. */
const remembered = new WeakMap<readonly Message[], Contents>();

/** Tool uses by the position of their call and of their result. */
type Uses = ReadonlyMap<string, ToolUse>;

function nativeUses(messages: readonly Message[]): Uses {
  const uses = new Map<string, ToolUse>();
  const { pairs, orphans } = toolPairs(messages);
  for (const { name, call, result } of pairs) {
    const callBlock = messages[call.message]?.blocks[call.block];
    const resultBlock = result === undefined ? undefined : messages[result.message]?.blocks[result.block];
    const use = {
      name,
      input: callBlock?.type === "tool-call" ? callBlock.input : null,
      callMessage: call.message,
      resultMessage: result?.message ?? -1,
      isError: resultBlock?.type === "tool-result" && resultBlock.isError,
    };
    uses.set(blockKey(call), use);
    if (result !== undefined) uses.set(blockKey(result), use);
  }
  for (const { message, block } of orphans)
    uses.set(blockKey({ message, block }), orphanUse(messages[message], { message, block }));
  return uses;
}

function orphanUse(message: Message | undefined, at: { message: number; block: number }): ToolUse {
  const block = message?.blocks[at.block];
  const isError = block?.type === "tool-result" && block.isError;
  const name = (block?.type === "tool-result" ? block.name : undefined) ?? "";
  return { name, input: null, callMessage: -1, resultMessage: at.message, isError };
}

const LEVELS = table({ text: "text", "tool-call": "parameters", "tool-result": "result" } as const);

function contentsOf(message: Message, index: number, uses: Uses): Content[] {
  return message.blocks.flatMap((block, position) => {
    if (block.type !== "text" && block.type !== "tool-call" && block.type !== "tool-result") return [];
    const use = block.type === "text" ? undefined : uses.get(blockKey({ message: index, block: position }));
    return textsIn(block).map(({ path, text }) => ({
      at: { message: index, block: position, path },
      from: 0,
      to: text.length,
      text,
      level: LEVELS[block.type],
      role: message.role,
      ...(use === undefined ? {} : { use }),
    }));
  });
}
