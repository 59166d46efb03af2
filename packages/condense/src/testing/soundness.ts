import { type Block, type Conversation, isUserAuthored, type Message } from "@longhaul/conversation/advanced";
import { textsIn } from "../edits/text-position.ts";

/**
 * Returns one sentence per fault of a condensed conversation. Written independently of the engine's invariants, so that a mistake cannot
 * hide in both.
 */
export function faultsIn(before: Conversation, after: Conversation): string[] {
  return [
    ...(before.system === after.system && before.tools === after.tools ? [] : ["system or tools were changed"]),
    ...parted(before, after).map((id) => `call ${id} was separated from its result`),
    ...emptied(before, after),
    ...(keepsLatestUserMessage(before, after) ? [] : ["the latest user message was changed"]),
    ...(isInOrder(before, after) ? [] : ["messages were reordered"]),
    ...noteFaults(before, after),
    ...defacedCalls(before, after),
  ];
}

const NOTE = /\[Note from Longhaul/g;
const NOTE_OR_MARK = /^(?:\[(?:Note from Longhaul|[\d,]+ messages? left out)[^\n]*\]\n?)+$/;

/** There is at most one note, no message is only notes, and the latest user message has none. */
function noteFaults(before: Conversation, after: Conversation): string[] {
  const count = (of: Conversation) => JSON.stringify(of.messages).match(NOTE)?.length ?? 0;
  const isNote = (block: Block) => block.type === "text" && NOTE_OR_MARK.test(block.text);
  const isOnlyNotes = ({ blocks }: Message) => blocks.length > 0 && blocks.every(isNote);
  const latest = before.messages.findLast((message) => isUserAuthored(message) && ownBlocks(message).length > 0);
  const sent = after.messages.findLast((message) => latest?.blocks.some((block) => message.blocks.includes(block)));
  return [
    ...(count(after) - count(before) > 1 ? ["there is more than one note"] : []),
    ...(after.messages.some(isOnlyNotes) ? ["a message is only a note"] : []),
    ...(sent?.blocks.some((block) => isNote(block) && !latest?.blocks.includes(block)) === true
      ? ["the latest user message contains a note"]
      : []),
  ];
}

/** An argument is unchanged, or it is one mark or reference as a whole. */
const WHOLE_MARK =
  /^(?:\[[\d,]+ \w+(?: writing [^\]\n]*)? left out(?:\]|, except:\n.*\])|\[Summary of .*\]|\[(?:same|older) .*\])$/s;

/** Calls with a mark inside an argument. Ids used twice are ignored. */
function defacedCalls(before: Conversation, after: Conversation): string[] {
  const callsOf = ({ messages }: Conversation) =>
    messages.flatMap(({ blocks }) => blocks.filter((block) => block.type === "tool-call"));
  const known = callsOf(before);
  return callsOf(after).flatMap(({ id, input }) => {
    const raw = known.filter((call) => call.id === id);
    const was = new Set(raw.flatMap((call) => textsIn(call)).map(({ text }) => text));
    const isKept = (text: string) => was.has(text) || WHOLE_MARK.test(text);
    const isDefaced =
      raw.length === 1 && !textsIn({ type: "tool-call", id, name: "", input }).every(({ text }) => isKept(text));
    return isDefaced ? [`an argument of call ${id} was changed inside`] : [];
  });
}

/** Ids with only a call or a result left, although both were there. Ids used twice are ignored. */
function parted(before: Conversation, after: Conversation): string[] {
  const was = uses(before);
  const is = uses(after);
  return [...was].flatMap(([id, { calls, results }]) => {
    const left = is.get(id) ?? { calls: 0, results: 0 };
    return calls === 1 && results === 1 && left.calls !== left.results ? [id] : [];
  });
}

function uses({ messages }: Conversation): Map<string, { calls: number; results: number }> {
  const found = new Map<string, { calls: number; results: number }>();
  const of = (id: string) => found.get(id) ?? { calls: 0, results: 0 };
  for (const block of messages.flatMap((message) => message.blocks)) {
    if (block.type === "tool-call") found.set(block.id, { ...of(block.id), calls: of(block.id).calls + 1 });
    if (block.type === "tool-result")
      found.set(block.callId, { ...of(block.callId), results: of(block.callId).results + 1 });
  }
  return found;
}

/** Messages and texts that became empty. */
function emptied(before: Conversation, after: Conversation): string[] {
  const known = new Set<unknown>([...before.messages, ...before.messages.flatMap(partsOf)]);
  return after.messages
    .filter((message) => !known.has(message))
    .filter(
      (message) => message.blocks.length === 0 || partsOf(message).some((part) => !known.has(part) && isBlank(part)),
    )
    .map((message) => `a changed ${message.role} message has an empty part`);
}

function partsOf(message: Message): Block[] {
  return message.blocks.flatMap((block): readonly Block[] => (block.type === "tool-result" ? block.content : [block]));
}

function isBlank(block: Block): boolean {
  return block.type === "text" && block.text.trim() === "";
}

const NOT_THE_USERS: ReadonlySet<string> = new Set(["tool-call", "tool-result", "thinking", "redacted-thinking"]);

/** Whether the result contains the latest user message, block for block. */
function keepsLatestUserMessage(before: Conversation, after: Conversation): boolean {
  const latest = before.messages.findLast((message) => isUserAuthored(message) && ownBlocks(message).length > 0);
  if (latest === undefined) return true;
  return after.messages.some((message) => ownBlocks(latest).every((block) => message.blocks.includes(block)));
}

/** Whether the result contains the first user message, possibly shortened: the beginning or the end of its text is still there. */
export function keepsTask(before: Conversation, after: Conversation, maxChars: number): boolean {
  const task = before.messages.find((message) => isUserAuthored(message) && ownBlocks(message).length > 0);
  const own = task === undefined ? [] : ownBlocks(task);
  const texts = own.flatMap((block) => (block.type === "text" ? [block.text] : []));
  // Images may be replaced by a line of text, and a task that alone is too long is cut.
  if (texts.length === 0 || texts.join("").length > maxChars) return true;
  const isLeft = (text: string) =>
    texts.some((own) => text.startsWith(own.slice(0, TASK_CHARACTERS)) || text.endsWith(own.slice(-TASK_CHARACTERS)));
  return after.messages.some(({ blocks }) =>
    blocks.some((block) => own.includes(block) || (block.type === "text" && isLeft(block.text))),
  );
}

const TASK_CHARACTERS = 5;

/** Removes tool results, as blocks, announced text or output before a prompt, and client notes. */
function ownBlocks({ blocks }: Message): Block[] {
  let isAnnounced = false;
  return blocks.filter((block) => {
    if (block.type !== "text") return !NOT_THE_USERS.has(block.type);
    if (/^\s*$|^<environment_details>|\nbash-\$$/.test(block.text)) return false;
    const isAnswer = isAnnounced;
    isAnnounced = /^\[\w+( for '.*')?\] Result:$/.test(block.text);
    return !isAnswer && !isAnnounced && !/^\[\w+( for '.*')?\] Result:/.test(block.text);
  });
}

/** A client may send the same message twice, so each is searched after the previous one. */
function isInOrder(before: Conversation, after: Conversation): boolean {
  let at = 0;
  return after.messages
    .filter((message) => before.messages.includes(message))
    .every((message) => {
      const found = before.messages.indexOf(message, at);
      at = found + 1;
      return found !== -1;
    });
}
