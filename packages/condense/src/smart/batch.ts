import type { Message } from "@longhaul/conversation";
import { nearestCut } from "../content/cuts.ts";
import type { View } from "../contract/view.ts";
import type { Edit } from "../edits/edit.ts";
import { earlierSummary, summaryNote } from "../summaries/notes.ts";
import { SUMMARY_PROMPT } from "../summaries/prompts.ts";
import { askAboutMessages, indexesOf, type Range, rangesOf } from "../summaries/ranges.ts";
import { summaryOptionsOf } from "../summaries/summary-settings.ts";
import type { Selection, Summarization } from "./pass-schema.ts";
import { type Candidate, candidateOf, selector } from "./select.ts";

/** What a batch pass needs to know. */
interface BatchPlan {
  readonly selection: Selection;
  readonly summarization: Summarization;
  readonly preserveUserMessages: boolean;
}

/**
 * Puts one summary in the place of all selected messages. What stays between them keeps its order, and the summary stands behind it, where
 * the last of them stood. The user's messages are shown to the summariser even where they stay.
 */
export function planBatch(view: View, plan: BatchPlan): Edit[] {
  const selected = selectedMessages(view, plan);
  const stretches = stretchesOf(view, new Set(selected.filter((index) => !staysWhole(view, index, plan))));
  const last = stretches.at(-1);
  const gone = new Set(stretches.flatMap(indexesOf));
  if (last === undefined || ![...gone].some((index) => isFresh(view, index))) return [];
  const told = selected.filter((index) => gone.has(index) || isUsers(view, index));
  const { prompt, profile, maxTokens } = plan.summarization;
  const wish = summaryOptionsOf({ prompt, profile, maxSummaryTokens: maxTokens }, SUMMARY_PROMPT);
  const ask = askAboutMessages(view, told, wish);
  if (ask === undefined) return [];
  return stretches.map((stretch) => ({
    kind: "replace",
    ...stretch,
    with: stretch === last ? [summaryNote(ask)] : [],
    reason: "summarize",
  }));
}

/** The messages that hold anything selected, without those kept at the start and at the end. */
function selectedMessages(view: View, { selection, summarization }: BatchPlan): number[] {
  const isSelected = selector(view, selection);
  const candidates = view.contents().contents.map(candidateOf);
  const worded = new Set(candidates.map(({ message }) => message));
  const selected = new Set(candidates.filter(isSelected).map(({ message }) => message));
  const found = [...view.conversation.messages.entries()]
    .filter(([index, message]) => (worded.has(index) ? selected.has(index) : isSelected(wordless(index, message))))
    .map(([index]) => index);
  return found.slice(summarization.keepFirst, found.length - summarization.keepLast);
}

/** A message without any content that could be cut, such as reasoning alone. */
function wordless(message: number, { role }: Message): Candidate {
  return { message, block: 0, role, level: "text", isError: false, chars: 0 };
}

function staysWhole(view: View, index: number, { preserveUserMessages }: BatchPlan): boolean {
  if (index === view.latestUserMessage || (preserveUserMessages && isUsers(view, index))) return true;
  const isSystem = view.conversation.messages[index]?.role === "system";
  return isSystem && isFresh(view, index);
}

/** Whether a message is not yet told by a summary. */
function isFresh(view: View, index: number): boolean {
  return earlierSummary(view, index) === undefined;
}

function isUsers(view: View, index: number): boolean {
  return view.contents().ownWords[index] === true && !view.isMade(index);
}

/** Neighbouring messages that go, as stretches that split no tool pair. */
function stretchesOf(view: View, going: ReadonlySet<number>): Range[] {
  return rangesOf(going)
    .map(({ from, to }) => ({ from: nearestCut(view.cuts(), from, "up"), to: nearestCut(view.cuts(), to, "down") }))
    .filter(({ from, to }) => from < to);
}
