import { type Block, type Conversation, isUserAuthored, type Message } from "@longhaul/conversation";

/**
 * What is wrong with a condensed conversation, each fault as a sentence. Written apart from the engine's own rules, so that one mistake
 * cannot hide in both.
 */
export function faultsIn(before: Conversation, after: Conversation): string[] {
  return [
    ...(before.system === after.system && before.tools === after.tools ? [] : ["system or tools were touched"]),
    ...parted(before, after).map((id) => `the call ${id} and its result were parted`),
    ...emptied(before, after),
    ...(keepsLatestWords(before, after) ? [] : ["the latest user message was changed"]),
    ...(isInOrder(before, after) ? [] : ["messages were reordered"]),
  ];
}

/** Ids of which a call or a result alone is left, although both came in. An id that is used twice tells nothing. */
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

/** Messages and texts that are empty and were not so when they came in. */
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

/** The user's latest words stand in the result, block for block. */
function keepsLatestWords(before: Conversation, after: Conversation): boolean {
  const latest = before.messages.findLast((message) => isUserAuthored(message) && ownBlocks(message).length > 0);
  if (latest === undefined) return true;
  return after.messages.some((message) => ownBlocks(latest).every((block) => message.blocks.includes(block)));
}

/** What is left without tools' answers, as blocks or as text behind an announcement, and without the client's own notes. */
function ownBlocks({ blocks }: Message): Block[] {
  let isAnnounced = false;
  return blocks.filter((block) => {
    if (block.type !== "text") return !NOT_THE_USERS.has(block.type);
    if (/^\s*$|^<environment_details>/.test(block.text)) return false;
    const isAnswer = isAnnounced;
    isAnnounced = /^\[\w+( for '.*')?\] Result:$/.test(block.text);
    return !isAnswer && !isAnnounced && !/^\[\w+( for '.*')?\] Result:/.test(block.text);
  });
}

/** A client may send the same message twice, so each is looked for after the one before it. */
function isInOrder(before: Conversation, after: Conversation): boolean {
  let at = 0;
  return after.messages
    .filter((message) => before.messages.includes(message))
    .every((message) => {
      const place = before.messages.indexOf(message, at);
      at = place + 1;
      return place !== -1;
    });
}
