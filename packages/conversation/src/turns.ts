import type { Block, ToolCallBlock, ToolResultBlock } from "./block.ts";
import type { Message } from "./message.ts";

/** Where a block stands: the index of its message, and its index in there. */
export interface Position {
  readonly message: number;
  readonly block: number;
}

/** A tool call and its answer. A pair without `result` is an open call; results without a call are in `orphans`. */
export interface ToolPair {
  readonly callId: string;
  readonly name: string;
  readonly call: Position;
  readonly result?: Position;
}

/** Every tool call with its result, and the results that answer nothing. */
export interface ToolPairs {
  readonly pairs: readonly ToolPair[];
  readonly orphans: readonly Position[];
}

/**
 * Joins calls and results by id, in reading order. A result answers the oldest open call of its id in the latest round that has one, so
 * an id that comes back (servers that number the calls of each reply from zero) still gives one pair for each call, and a call that was
 * never answered takes no later call's result.
 */
export function toolPairs(messages: readonly Message[]): ToolPairs {
  const pairs: OpenPair[] = [];
  const orphans: Position[] = [];
  const open = new Map<string, Rounds>();
  for (const { block, position, round } of toolBlocks(messages)) {
    if (block.type === "tool-call") {
      const pair: OpenPair = { callId: block.id, name: block.name, call: position };
      pairs.push(pair);
      open.set(block.id, wait(open.get(block.id) ?? [], round, pair));
      continue;
    }
    const pair = takeAnswered(open.get(block.callId) ?? []);
    if (pair === undefined) orphans.push(position);
    else pair.result = position;
  }
  return { pairs, orphans };
}

type OpenPair = Omit<ToolPair, "result"> & { result?: Position };

/** The open calls of one id, round by round, each round in reading order. */
type Rounds = { readonly round: number; readonly waiting: OpenPair[] }[];

function wait(rounds: Rounds, round: number, pair: OpenPair): Rounds {
  const latest = rounds.at(-1);
  if (latest?.round === round) latest.waiting.push(pair);
  else rounds.push({ round, waiting: [pair] });
  return rounds;
}

function takeAnswered(rounds: Rounds): OpenPair | undefined {
  const latest = rounds.at(-1);
  if (latest?.waiting.length === 1) rounds.pop();
  return latest?.waiting.shift();
}

interface ToolBlock {
  readonly block: ToolCallBlock | ToolResultBlock;
  readonly position: Position;
  /** Counts the stretches of assistant messages; formats with one item per message spread parallel calls over several. */
  readonly round: number;
}

function* toolBlocks(messages: readonly Message[]): Generator<ToolBlock> {
  let round = 0;
  for (const [message, { role, blocks }] of messages.entries()) {
    if (role !== "assistant") round++;
    for (const [block, value] of blocks.entries()) {
      if (value.type === "tool-call" || value.type === "tool-result")
        yield { block: value, position: { message, block }, round };
    }
  }
}

/** A stretch of messages: from the user's own words to just before the next ones. */
export interface Turn {
  readonly from: number;
  /** One past the last message. */
  readonly to: number;
}

/** Splits a conversation at the user's own words. What stands before the first of them is a turn of its own. */
export function turns(messages: readonly Message[]): Turn[] {
  const starts = [...messages.keys()].filter((index) => index === 0 || startsTurn(messages, index));
  return starts.map((from, turn) => ({ from, to: starts[turn + 1] ?? messages.length }));
}

/** Formats with one item per message can split the user's words over several; only the first of them opens a turn. */
function startsTurn(messages: readonly Message[], index: number): boolean {
  const before = messages[index - 1];
  return isUsersOwn(messages[index]) && !isUsersOwn(before);
}

/**
 * Whether a message holds the user's own words or files: not tool results alone, and not the notes that clients add to every message on
 * their own account.
 */
export function isUsersOwn(message: Message | undefined): boolean {
  return message?.role === "user" && message.blocks.some(isOwnBlock);
}

function isOwnBlock(block: Block): boolean {
  if (block.type === "text") return !isClientNote(block.text);
  if (block.type === "opaque") return !TOOL_ANSWER.test(block.kind);
  return block.type === "image" || block.type === "document";
}

/** What formats call the answers of tools that the canonical model does not know; any other block in a user message is the user's. */
const TOOL_ANSWER = /_(output|result|response)$/;

// Claude Code wraps its notes in <system-reminder>; Roo, Cline and Zoo Code theirs in <environment_details>.
const NOTE_TAGS = ["system-reminder", "environment_details"];

/** Whether a text is made of clients' notes alone, or of nothing. */
function isClientNote(text: string): boolean {
  let rest = text.trim();
  while (rest !== "") {
    const tag = NOTE_TAGS.find((name) => rest.startsWith(`<${name}>`));
    if (tag === undefined) return false;
    const end = rest.indexOf(`</${tag}>`);
    if (end === -1) return false;
    rest = rest.slice(end + tag.length + "</>".length).trimStart();
  }
  return true;
}

/** Index of the latest message with the user's own words, or -1. In an agent loop it may stand far back. */
export function latestUserMessage(messages: readonly Message[]): number {
  return messages.findLastIndex(isUsersOwn);
}
