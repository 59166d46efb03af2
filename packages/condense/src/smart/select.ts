import { type Role, table, toolPairs } from "@longhaul/conversation";
import type { Content, Level } from "../content/content.ts";
import { isMedia } from "../content/media.ts";
import type { View } from "../contract/view.ts";
import type { CONTENT_TYPES, Selection } from "./config.ts";

/** What a selection looks at: a content, or an image or document in a tool result. */
export interface Candidate {
  /** Where it stands in the conversation that the pass sees. */
  readonly message: number;
  readonly block: number;
  readonly role: Role;
  readonly level: Level;
  readonly toolName?: string;
  readonly isError: boolean;
  readonly chars: number;
}

/** A content as a selection looks at it. */
export function candidateOf({ at, role, level, use, text }: Content): Candidate {
  const tool = use === undefined ? {} : { toolName: use.name };
  const { message, block } = at;
  return { message, block, role, level, ...tool, isError: use?.isError ?? false, chars: text.length };
}

/** The images and documents that stand in tool results, each whole and so longer than any text. */
export function mediaCandidates(view: View): Candidate[] {
  const { messages } = view.conversation;
  const pairs = toolPairs(messages).pairs.flatMap(({ name, result }) =>
    result === undefined ? [] : [{ name, result }],
  );
  return pairs.flatMap(({ name, result }): Candidate[] => {
    const message = messages[result.message];
    const block = message?.blocks[result.block];
    if (message === undefined || block?.type !== "tool-result" || !block.content.some(isMedia)) return [];
    const { isError } = block;
    const chars = Number.POSITIVE_INFINITY;
    return [{ ...result, role: message.role, level: "result", toolName: name, isError, chars }];
  });
}

/** Says which candidates a selection picks in the conversation of a view. */
export function selector(view: View, selection: Selection): (candidate: Candidate) => boolean {
  const { length } = view.conversation.messages;
  switch (selection.type) {
    case "preserve_recent":
      return ({ message }) => message < length - selection.keepRecentCount;
    case "preserve_percent":
      return ({ message }) => message < length - Math.ceil((length * selection.keepPercentage) / 100);
    case "custom":
      return (candidate) => CONDITIONS.every((holds) => holds(candidate, selection, view));
    default:
      return selection satisfies never;
  }
}

type Custom = Extract<Selection, { type: "custom" }>;
type Condition = (candidate: Candidate, selection: Custom, view: View) => boolean;

/** The levels by the names that configurations use. */
export const LEVEL_OF: Readonly<Record<(typeof CONTENT_TYPES)[number], Level>> = table({
  messageText: "text",
  toolParameters: "parameters",
  toolResults: "result",
});

const CONDITIONS: readonly Condition[] = [
  ({ role }, { roles }) => roles === undefined || roles.some((wanted) => wanted === role),
  ({ level }, { contentTypes }) => contentTypes === undefined || contentTypes.some((type) => LEVEL_OF[type] === level),
  ({ toolName }, { toolNames }) => toolNames === undefined || (toolName !== undefined && toolNames.includes(toolName)),
  ({ isError, level }, { errors }) => errors === undefined || (isError && level === "result") === (errors === "only"),
  ({ chars }, { minChars, maxChars }) => isWithin(chars, minChars, maxChars),
  ({ message }, { minAge, maxAge }, { conversation }) =>
    isWithin(conversation.messages.length - 1 - message, minAge, maxAge),
  ({ message }, { fromIndex, toIndex }, view) => isWithin(view.rawIndex(message), fromIndex, toIndex),
];

function isWithin(value: number, least = 0, most = Number.POSITIVE_INFINITY): boolean {
  return least <= value && value <= most;
}
