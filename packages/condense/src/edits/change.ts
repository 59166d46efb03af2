import { type Block, type JsonObject, type Message, type ResultBlock, textBlock } from "@longhaul/conversation";
import { type Piece, renderPieces } from "./pieces.ts";
import { type Path, textAt, withEntry, withoutNative, withText } from "./text-position.ts";

/** What became of one part of a raw message, in the coordinates of that message. */
export type Change =
  | { readonly kind: "text"; readonly block: number; readonly path: Path; readonly pieces: readonly Piece[] }
  | { readonly kind: "gone"; readonly block: number; readonly path: Path; readonly left?: string }
  | { readonly kind: "input"; readonly block: number; readonly path: Path; readonly input: JsonObject };

/** A raw message with its changes carried out, and which raw block each of its blocks came from. */
interface Rewritten {
  readonly message: Message;
  readonly sources: readonly number[];
}

/** Carries changes out on a raw message. Without changes the message is the identical object. */
export function rewriteMessage(message: Message, changes: readonly Change[]): Rewritten {
  if (changes.length === 0) return { message, sources: [...message.blocks.keys()] };
  const kept = message.blocks.flatMap((block, source) => {
    const rewritten = rewriteBlock(
      block,
      changes.filter((change) => change.block === source),
    );
    return rewritten === undefined ? [] : [{ block: rewritten, source }];
  });
  const blocks = kept.map((entry) => entry.block);
  return { message: withoutNative({ ...message, blocks }), sources: kept.map((entry) => entry.source) };
}

function rewriteBlock(block: Block, changes: readonly Change[]): Block | undefined {
  let current: Block | undefined = block;
  for (const change of changes) current = current === undefined ? undefined : rewritePart(current, block, change);
  return current;
}

function rewritePart(current: Block, raw: Block, change: Change): Block | undefined {
  switch (change.kind) {
    case "text":
      return withText(current, change.path, renderPieces(change.pieces, textAt(raw, change.path) ?? ""));
    case "input":
      return current.type === "tool-call" ? withoutNative({ ...current, input: change.input }) : current;
    case "gone":
      return change.path.length === 0 ? leftBehind(current, change.left) : withoutEntry(current, change);
    default:
      return change satisfies never;
  }
}

function leftBehind(block: Block, left: string | undefined): Block | undefined {
  if (left === undefined) return undefined;
  const cache = "cache" in block && block.cache !== undefined ? { cache: block.cache } : {};
  return { ...textBlock(left), ...cache };
}

function withoutEntry(block: Block, change: Extract<Change, { kind: "gone" }>): Block {
  if (block.type !== "tool-result") return block;
  const left: ResultBlock = textBlock(change.left ?? "");
  return withEntry(block, Number(change.path[0]), () => left);
}
