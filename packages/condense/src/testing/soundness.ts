import { type Conversation, isUsersOwn, type Message } from "@longhaul/conversation";

/**
 * What is wrong with a condensed conversation, each fault as a sentence. Written apart from the engine's own rules, so that one mistake
 * cannot hide in both.
 */
export function faultsIn(before: Conversation, after: Conversation): string[] {
  return [
    ...(before.system === after.system && before.tools === after.tools ? [] : ["system or tools were touched"]),
    ...missing(unmatched(after, "tool-call"), unmatched(before, "tool-call")).map((id) => `call ${id} has no result`),
    ...missing(unmatched(after, "tool-result"), unmatched(before, "tool-result")).map(
      (id) => `result ${id} has no call`,
    ),
    ...after.messages.filter((message) => !before.messages.includes(message)).flatMap(emptyParts),
    ...(keepsLatestWords(before, after) ? [] : ["the latest user message is not as it was"]),
    ...(isInOrder(before, after) ? [] : ["messages changed places"]),
  ];
}

/** Ids that occur more often as calls than as results, or the reverse. */
function unmatched({ messages }: Conversation, kind: "tool-call" | "tool-result"): string[] {
  const balance = new Map<string, number>();
  for (const block of messages.flatMap((message) => message.blocks)) {
    if (block.type === "tool-call") balance.set(block.id, (balance.get(block.id) ?? 0) + 1);
    if (block.type === "tool-result") balance.set(block.callId, (balance.get(block.callId) ?? 0) - 1);
  }
  const sign = kind === "tool-call" ? 1 : -1;
  return [...balance].filter(([, count]) => count * sign > 0).map(([id]) => id);
}

function missing(now: readonly string[], then: readonly string[]): string[] {
  return now.filter((id) => !then.includes(id));
}

function emptyParts(message: Message): string[] {
  const texts = message.blocks.flatMap((block) => (block.type === "tool-result" ? block.content : [block]));
  const isBlank = texts.some((block) => block.type === "text" && block.text.trim() === "");
  return isBlank || message.blocks.length === 0 ? [`a changed ${message.role} message has an empty part`] : [];
}

/** The user's latest words stand in the result, block for block. */
function keepsLatestWords(before: Conversation, after: Conversation): boolean {
  const latest = before.messages.findLast((message) => isUsersOwn(message) && !isXmlResult(message));
  if (latest === undefined) return true;
  const own = latest.blocks.filter((block) => block.type !== "tool-result" && !isEnvironment(block));
  return after.messages.some((message) => own.every((block) => message.blocks.includes(block)));
}

function isXmlResult(message: Message): boolean {
  return message.blocks.some((block) => block.type === "text" && /^\[\w+( for '.*')?\] Result:/.test(block.text));
}

function isEnvironment(block: Message["blocks"][number]): boolean {
  return block.type === "text" && block.text.startsWith("<environment_details>");
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
