import {
  type Block,
  type Message,
  type Position,
  pureHash,
  type Request,
  type ToolPair,
  type ToolPairs,
  textBlock,
  toolPairs,
} from "@longhaul/conversation/advanced";
import type { AdaptContext, NameRule, Warn } from "../codec/rules.ts";
import { withoutNative } from "../fields/json.ts";
import { mapBlocks, withBlocks, withMessages } from "./blocks.ts";

/** A format's rules for tool pairs. */
export interface PairRules {
  /** Whether results must directly follow their calls. */
  readonly adjacent: boolean;
  readonly warn?: Warn;
}

/** The content of the result added for a call without one. */
export const MISSING_RESULT = "No result provided";

/**
 * Makes every tool call have a result and every result a call, as servers require. A call without a result gets an error result, a result
 * without a call is dropped, and if results must be adjacent, they are moved to their calls. Unchanged messages stay identical objects.
 */
export function repairPairs(messages: readonly Message[], rules: PairRules): readonly Message[] {
  const { pairs, orphans } = ownPairs(messages);
  const orphaned = new Set(orphans.map(keyOf));
  const broken = roundsOf(messages, pairs).filter((round) => {
    const isComplete = round.pairs.every(({ result }) => result !== undefined);
    return !isComplete || (rules.adjacent && !isAdjacent(round, messages, orphaned));
  });
  if (broken.length === 0 && orphans.length === 0) return messages;
  warnOfRepairs(broken, orphans, rules);
  const moved = rules.adjacent ? broken.flatMap(({ pairs: all }) => all.flatMap(({ result }) => result ?? [])) : [];
  const removed = new Set([...orphaned, ...moved.map(keyOf)]);
  const inserted = new Map(broken.map((round) => [round.to, resultsFor(round, messages, rules)]));
  return messages.flatMap((message, index) => {
    const kept = message.blocks.filter((_, block) => !removed.has(keyOf({ message: index, block })));
    const results = inserted.get(index + 1) ?? [];
    return [
      ...(kept.length === message.blocks.length ? [message] : kept.length > 0 ? [withBlocks(message, kept)] : []),
      ...(results.length > 0 ? [{ role: "user" as const, blocks: results }] : []),
    ];
  });
}

/** Returns the pairs without those of opaque blocks, whose results cannot be made up. */
function ownPairs(messages: readonly Message[]): ToolPairs {
  const { pairs, orphans } = toolPairs(messages);
  const isOwn = ({ message, block }: Position) => messages[message]?.blocks[block]?.type !== "opaque";
  return { pairs: pairs.filter(({ call }) => isOwn(call)), orphans: orphans.filter(isOwn) };
}

/** Consecutive assistant messages with tool calls, and the messages up to the next assistant message. */
interface Round {
  /** Index after the last of the assistant messages. */
  readonly to: number;
  /** Index of the next assistant message, or the number of messages. */
  readonly next: number;
  readonly pairs: readonly ToolPair[];
}

function roundsOf(messages: readonly Message[], pairs: readonly ToolPair[]): Round[] {
  const ends: number[] = [];
  const nexts: number[] = [];
  for (let index = messages.length - 1; index >= 0; index--) {
    const role = messages[index]?.role;
    ends[index] = role === messages[index + 1]?.role ? (ends[index + 1] ?? index + 1) : index + 1;
    nexts[index] = role === "assistant" ? index : (nexts[index + 1] ?? messages.length);
  }
  const rounds = new Map<number, ToolPair[]>();
  for (const pair of pairs) {
    const to = ends[pair.call.message] ?? messages.length;
    rounds.set(to, [...(rounds.get(to) ?? []), pair]);
  }
  return [...rounds].map(([to, all]) => ({ to, next: nexts[to] ?? messages.length, pairs: all }));
}

/** Whether the results of a round directly follow its calls, apart from orphaned results. */
function isAdjacent({ to, next, pairs }: Round, messages: readonly Message[], orphaned: ReadonlySet<string>): boolean {
  const after = messages.slice(to, next).flatMap(({ blocks }, offset) => {
    return blocks.filter((_, block) => !orphaned.has(keyOf({ message: to + offset, block })));
  });
  const isAfter = pairs.every(({ result }) => result !== undefined && result.message >= to && result.message < next);
  return isAfter && after.slice(0, pairs.length).every(({ type }) => type === "tool-result");
}

/** Returns the results to insert after a round, in the order of its calls. */
function resultsFor(round: Round, messages: readonly Message[], { adjacent }: PairRules): Block[] {
  return round.pairs.flatMap((pair) => {
    const { callId, name } = pair;
    if (pair.result === undefined) {
      return [{ type: "tool-result", callId, name, content: [textBlock(MISSING_RESULT)], isError: true }];
    }
    const block = messages[pair.result.message]?.blocks[pair.result.block];
    return adjacent && block !== undefined ? [block] : [];
  });
}

function warnOfRepairs(broken: readonly Round[], orphans: readonly Position[], { warn }: PairRules): void {
  for (const _ of orphans) warn?.("tool-result.orphan", "dropped", "no tool call in the conversation has its ID");
  for (const { pairs } of broken) {
    const missing = pairs.filter(({ result }) => result === undefined).length;
    const message =
      missing > 0 ? "an error result was added for a call without one" : "results were moved next to their calls";
    warn?.("tool-call.result", "changed", message);
  }
}

/** Gives every pair a unique id that the format accepts. An id depends only on the messages before it, so the prefix stays stable. */
export function adaptCallIds(request: Request, { rules }: AdaptContext): Request {
  if (rules.callIds === undefined) return request;
  const { messages } = request.conversation;
  const ids = renamedIds(messages, rules.callIds);
  if (ids.size === 0) return request;
  const renamed = mapBlocks(messages, (block, _, position) => renameBlock(block, ids.get(keyOf(position))));
  return withMessages(request, renamed);
}

/** Returns the new ids, by position, of blocks whose id must change. */
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
  if (block.type === "tool-call") return { ...withoutNative(block), id };
  return block.type === "tool-result" ? { ...withoutNative(block), callId: id } : block;
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

/** Returns the name if the rule allows it. Otherwise returns a similar name that ends with a hash of the original. */
export function legalName(name: string, { illegal, maxChars }: NameRule): string {
  const clean = name.replace(illegal, "_");
  if (clean === name && name !== "" && name.length <= maxChars) return name;
  const ending = `_${pureHash(name).slice(0, HASH_CHARS)}`;
  return `${clean.slice(0, maxChars - ending.length)}${ending}`;
}
