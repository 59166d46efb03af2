import {
  type Block,
  type Conversation,
  isJsonObject,
  type Message,
  type OpaqueBlock,
  type Request,
  type ResultBlock,
  type Tool,
} from "@longhaul/conversation/advanced";
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
  const marked = markOwners(request.conversation);
  const unmarkable = marked.filter((owner) => !rules.markable.has("type" in owner ? owner.type : "tool"));
  const markable = marked.filter((owner) => !unmarkable.includes(owner));
  const dropped = [...unmarkable, ...markable.slice(0, Math.max(0, markable.length - allowed))];
  const limit = `at most ${rules.maxCacheMarks} cache breakpoints are allowed, and only on some blocks`;
  const message = field === "none" ? "the upstream does not support cache breakpoints" : limit;
  for (const _ of dropped) warn("cache-mark", "dropped", message);
  const owners = new Map<object, Change>(dropped.map((owner) => [owner, "unmark"]));
  for (const owner of marked) {
    const value = owner.native?.value;
    if (!owners.has(owner) && isJsonObject(value) && value[field] === undefined) owners.set(owner, "rewrite");
  }
  return owners.size === 0 ? request : changeOwners(request, owners);
}

type MarkOwner = Block | Tool;

/** Removes the mark of an owner, or moves it to the destination's field. */
type Change = "unmark" | "rewrite";

/** Returns the marked blocks of the messages, then the marked tools and system blocks, each in order. */
function markOwners({ tools, system, messages }: Conversation): readonly MarkOwner[] {
  const blocks = messages.flatMap((message) => message.blocks);
  const inner = blocks.flatMap((block): Block[] =>
    block.type === "tool-result" ? [...block.content, block] : [block],
  );
  return [...inner, ...tools, ...system].filter((owner) => "cache" in owner && owner.cache !== undefined);
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
  if (owners.get(block) !== "unmark" || !isJsonObject(block.native.value)) return block;
  const { cache_control: _, prompt_cache_breakpoint: _breakpoint, ...value } = block.native.value;
  const { cache: _cache, ...rest } = block;
  return { ...rest, native: { ...block.native, value } };
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
