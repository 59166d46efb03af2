import type { Block, OpaquePair } from "./block.ts";
import type { Message } from "./message.ts";

/** Position of a block: the index of its message and its index within that message. */
export interface Position {
  readonly message: number;
  readonly block: number;
}

/** A tool call and its result. A pair without `result` is an open call. */
export interface ToolPair {
  readonly callId: string;
  readonly name: string;
  readonly call: Position;
  readonly result?: Position;
}

/** All tool calls with their results, and the positions of results without a call. */
export interface ToolPairs {
  readonly pairs: readonly ToolPair[];
  readonly orphans: readonly Position[];
}

/**
 * Pairs calls and results by id, in reading order. A result answers the oldest open call with its id in the latest round that has one: some
 * servers number the calls of each reply from zero, and a result must not answer an earlier call that was left open. Opaque blocks are
 * paired, too, if their format says which one answers which.
 */
export function toolPairs(messages: readonly Message[]): ToolPairs {
  const pairs: OpenPair[] = [];
  const orphans: Position[] = [];
  const open = new Map<string, Rounds>();
  for (const { side, id, name, position, round } of toolBlocks(messages)) {
    if (side === "call") {
      const pair: OpenPair = { callId: id, name, call: position };
      pairs.push(pair);
      open.set(id, addOpenCall(open.get(id) ?? [], round, pair));
      continue;
    }
    const pair = takeAnsweredCall(open.get(id) ?? []);
    if (pair === undefined) orphans.push(position);
    else pair.result = position;
  }
  return { pairs, orphans };
}

type OpenPair = Omit<ToolPair, "result"> & { result?: Position };

/** The open calls with one id by round, in reading order. */
type Rounds = { readonly round: number; readonly waiting: OpenPair[] }[];

function addOpenCall(rounds: Rounds, round: number, pair: OpenPair): Rounds {
  const latest = rounds.at(-1);
  if (latest?.round === round) latest.waiting.push(pair);
  else rounds.push({ round, waiting: [pair] });
  return rounds;
}

function takeAnsweredCall(rounds: Rounds): OpenPair | undefined {
  const latest = rounds.at(-1);
  if (latest?.waiting.length === 1) rounds.pop();
  return latest?.waiting.shift();
}

interface ToolBlock extends OpaquePair {
  /** The tool, or the kind of an opaque block; unused for results. */
  readonly name: string;
  readonly position: Position;
  /**
   * Increases at every message that is not the assistant's. Formats with one item per message spread parallel calls over several messages.
   */
  readonly round: number;
}

function* toolBlocks(messages: readonly Message[]): Generator<ToolBlock> {
  let round = 0;
  for (const [message, { role, blocks }] of messages.entries()) {
    if (role !== "assistant") round++;
    for (const [block, value] of blocks.entries()) {
      const side = sideOf(value);
      if (side !== undefined) yield { ...side, position: { message, block }, round };
    }
  }
}

function sideOf(block: Block): Pick<ToolBlock, "side" | "id" | "name"> | undefined {
  if (block.type === "tool-call") return { side: "call", id: block.id, name: block.name };
  if (block.type === "tool-result") return { side: "result", id: block.callId, name: "" };
  return block.type === "opaque" && block.pair !== undefined ? { ...block.pair, name: block.kind } : undefined;
}

/** A range of messages: from a message that the user wrote to just before the next one. */
export interface Turn {
  readonly from: number;
  /** One past the last message. */
  readonly to: number;
}

/** Splits a conversation before each message that the user wrote. Messages before the first one form a turn of their own. */
export function turns(messages: readonly Message[]): Turn[] {
  const starts = [...messages.keys()].filter((index) => index === 0 || startsTurn(messages, index));
  return starts.map((from, turn) => ({ from, to: starts[turn + 1] ?? messages.length }));
}

/** Formats with one item per message can split one user message into several; only the first starts a turn. */
function startsTurn(messages: readonly Message[], index: number): boolean {
  const before = messages[index - 1];
  return isUserAuthored(messages[index]) && !isUserAuthored(before);
}

/** Whether a message has text or files from the user: not only tool results or the notes that clients add to every message. */
export function isUserAuthored(message: Message | undefined): boolean {
  return message?.role === "user" && message.blocks.some(isUserBlock);
}

function isUserBlock(block: Block): boolean {
  if (block.type === "text") return !isClientNote(block.text);
  if (block.type === "opaque") return !TOOL_ANSWER.test(block.kind);
  return block.type === "image" || block.type === "document";
}

/** Block types that vendors use for results of their own tools. Any other unknown block in a user message is the user's. */
const TOOL_ANSWER = /_(output|result|response)$/;

// Claude Code wraps its notes in <system-reminder>; Roo, Cline and Zoo Code in <environment_details>.
const NOTE_TAGS = ["system-reminder", "environment_details"];

/** Whether a text is empty or consists only of client notes. */
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

/** Returns the index of the latest message that the user wrote, or -1. In an agent loop it may be far back. */
export function latestUserMessage(messages: readonly Message[]): number {
  return messages.findLastIndex(isUserAuthored);
}
