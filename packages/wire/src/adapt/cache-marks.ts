import {
  type Block,
  isJsonObject,
  type JsonObject,
  type Message,
  type Native,
  type OpaqueBlock,
  type Request,
  type ResultBlock,
  type Tool,
} from "@longhaul/conversation";
import type { AdaptContext } from "../codec/rules.ts";
import { withoutNative } from "../fields/json.ts";
import { mapBlocks } from "./blocks.ts";

/**
 * Drops cache marks that the destination does not support or that exceed its limit. The prompt's marks and the newest ones in the
 * conversation stay, because the next turn reads those. Marks in another field than the destination's are rewritten.
 */
export function adaptCacheMarks(request: Request, { rules, destination, warn }: AdaptContext): Request {
  const field = destination.cacheMarks ?? rules.cacheMarks;
  const own = request.extra?.cache_control === undefined ? 0 : 1;
  const allowed = field === "none" ? 0 : rules.maxCacheMarks - own;
  const marks = marksOf(request);
  const unmarkable = marks.filter(({ owner }) => !rules.markable.has("type" in owner ? owner.type : "tool"));
  const markable = marks.filter((mark) => !unmarkable.includes(mark));
  const excess = markable.toSorted(oldestMessagesFirst).slice(0, Math.max(0, markable.length - allowed));
  const dropped = [...unmarkable, ...excess];
  const limit = `at most ${rules.maxCacheMarks} cache marks are allowed, and only on some blocks`;
  const message = field === "none" ? "the upstream does not support cache marks" : limit;
  for (const _ of dropped) warn({ feature: "cache-mark", action: "dropped", message });
  const owners = new Map<object, Change>(dropped.map(({ owner }) => [owner, "unmark"]));
  for (const { owner } of marks) {
    if (!owners.has(owner) && usesOtherField(owner.native, field)) owners.set(owner, "rewrite");
  }
  return owners.size === 0 ? request : changeOwners(request, owners);
}

type MarkOwner = Block | Tool;

/** Removes the mark of an owner, or moves it to the destination's field. */
type Change = "unmark" | "rewrite";

interface Mark {
  readonly owner: MarkOwner;
  /** 0 in the prompt, 1 in the messages. */
  readonly rank: 0 | 1;
  readonly place: number;
}

function marksOf({ conversation }: Request): Mark[] {
  const prompt: MarkOwner[] = [...conversation.tools, ...conversation.system];
  const blocks: MarkOwner[] = conversation.messages.flatMap((message) => message.blocks.flatMap(withContent));
  return [
    ...prompt.filter(isMarked).map((owner, place): Mark => ({ owner, rank: 0, place })),
    ...blocks.filter(isMarked).map((owner, place): Mark => ({ owner, rank: 1, place })),
  ];
}

function withContent(block: Block): readonly Block[] {
  return block.type === "tool-result" ? [...block.content, block] : [block];
}

function isMarked(owner: MarkOwner): boolean {
  return "cache" in owner && owner.cache !== undefined;
}

function oldestMessagesFirst(left: Mark, right: Mark): number {
  return right.rank - left.rank || left.place - right.place;
}

function usesOtherField(native: Native | undefined, field: string): boolean {
  return isJsonObject(native?.value) && native.value[field] === undefined;
}

function changeOwners(request: Request, owners: ReadonlyMap<object, Change>): Request {
  const { conversation } = request;
  const tools = conversation.tools.map((tool) => changeOwner(tool, owners.get(tool)));
  const system = conversation.system.map((block) => changeBlock(block, owners));
  const messages: readonly Message[] = mapBlocks(conversation.messages, (block) => changeBlock(block, owners));
  return { ...request, conversation: { tools, system, messages } };
}

function changeBlock(block: Block, owners: ReadonlyMap<object, Change>): Block {
  const changed = block.type === "opaque" ? changeOpaque(block, owners) : changeOwner(block, owners.get(block));
  if (changed.type !== "tool-result" || !changed.content.some((part) => owners.has(part))) return changed;
  return { ...withoutNative(changed), content: changed.content.map((part) => changePart(part, owners)) };
}

function changePart(part: ResultBlock, owners: ReadonlyMap<object, Change>): ResultBlock {
  return part.type === "opaque" ? changeOpaque(part, owners) : changeOwner(part, owners.get(part));
}

function changeOpaque(block: OpaqueBlock, owners: ReadonlyMap<object, Change>): OpaqueBlock {
  const { value } = block.native;
  if (owners.get(block) !== "unmark" || !isJsonObject(value)) return block;
  const { cache: _, ...rest } = block;
  return { ...rest, native: { ...block.native, value: withoutMark(value) } };
}

function withoutMark({ cache_control: _, prompt_cache_breakpoint: _breakpoint, ...rest }: JsonObject): JsonObject {
  return rest;
}

function changeOwner<T extends object>(owner: T, change: Change | undefined): T;
function changeOwner(
  owner: { readonly cache?: unknown; readonly native?: unknown },
  change: Change | undefined,
): object {
  if (change === undefined) return owner;
  const { cache, native: _, ...rest } = owner;
  return change === "rewrite" ? { ...rest, cache } : rest;
}
