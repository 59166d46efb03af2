import { type Block, type Message, type Position, pureHash, type Request, toolPairs } from "@longhaul/conversation";
import type { Fitting, NameRule } from "../codec/rules.ts";
import { mapBlocks, withMessages } from "./blocks.ts";

/** Gives every pair an id that the format takes and that no other pair has. An id depends only on what stands before it. */
export function fitCallIds(request: Request, { rules }: Fitting): Request {
  if (rules.callIds === undefined) return request;
  const { messages } = request.conversation;
  const ids = renamedIds(messages, rules.callIds);
  if (ids.size === 0) return request;
  const renamed = mapBlocks(messages, (block, _, position) => renameBlock(block, ids.get(keyOf(position))));
  return withMessages(request, renamed);
}

/** The new id of each block, by its place, whose id can't stay. */
function renamedIds(messages: readonly Message[], rule: NameRule): ReadonlyMap<string, string> {
  const used = new Set<string>();
  const ids = new Map<string, string>();
  for (const { callId, call, result } of toolPairs(messages).pairs) {
    const id = firstFree(legalName(callId, rule), used, rule);
    used.add(id);
    if (id === callId) continue;
    ids.set(keyOf(call), id);
    if (result !== undefined) ids.set(keyOf(result), id);
  }
  return ids;
}

function keyOf({ message, block }: Position): string {
  return `${message}:${block}`;
}

function renameBlock(block: Block, id: string | undefined): Block {
  if (id === undefined) return block;
  if (block.type === "tool-call") {
    const { native: _, ...rest } = block;
    return { ...rest, id };
  }
  if (block.type !== "tool-result") return block;
  const { native: _, ...rest } = block;
  return { ...rest, callId: id };
}

function firstFree(id: string, used: ReadonlySet<string>, { maxChars }: NameRule): string {
  if (!used.has(id)) return id;
  for (let serial = 2; ; serial++) {
    const ending = `_${serial}`;
    const candidate = `${id.slice(0, maxChars - ending.length)}${ending}`;
    if (!used.has(candidate)) return candidate;
  }
}

const HASH_CHARS = 8;

/** A name that the rule allows: the same one where it does, else a like one that ends with a hash of what it was. */
export function legalName(name: string, { illegal, maxChars }: NameRule): string {
  const clean = name.replace(illegal, "_");
  if (clean === name && name !== "" && name.length <= maxChars) return name;
  const ending = `_${pureHash(name).slice(0, HASH_CHARS)}`;
  return `${clean.slice(0, maxChars - ending.length)}${ending}`;
}
