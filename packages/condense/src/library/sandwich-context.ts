import { type Message, pureHash } from "@longhaul/conversation/advanced";
import { makeView, type View } from "../contract/view.ts";
import { type Draft, openDraft } from "../edits/draft.ts";
import type { Edit } from "../edits/edit.ts";
import { drive, runPasses } from "../engine/run.ts";
import { apply } from "../rewrite/apply.ts";
import { sandwich, sandwichConfig } from "../strategies/sandwich.ts";
import { middleOf, type Range, summaryIn, summaryNote } from "../summaries/ranges.ts";
import {
  answer,
  type ContextOptions,
  type ContextResult,
  contextBudget,
  isOverThreshold,
  resultOf,
} from "./context-options.ts";
import {
  type ContextState,
  isCurrent,
  isPrefix,
  matchesMessages,
  piecesOf,
  prefixHash,
  type SummaryPiece,
} from "./context-state.ts";

/** Whether there is something between the kept ends. */
export function hasMiddle(messages: readonly Message[], config: unknown): boolean {
  const { preserveTop, preserveBottom } = sandwichConfig(config);
  return messages.length > preserveTop + preserveBottom;
}

/**
 * Keeps the first and the last messages with a summary of all others between them. A state that covers exactly the middle is reused; if the
 * middle has grown, the state is reused as long as that is enough, and otherwise updated with only the new messages.
 */
export async function sandwichContext(
  messages: readonly Message[],
  cached: ContextState | undefined,
  options: ContextOptions,
): Promise<ContextResult> {
  const raw = openDraft({ system: [], tools: [], messages });
  const middle = middleOf(viewOf(raw, options), sandwichConfig(options.config));
  const start = (cached && knownDraft(raw, cached, { middle, options })) ?? raw;
  const isEnough = start !== raw && !isOverThreshold(start.conversation.messages, options);
  if (isEnough) return resultOf(start.conversation.messages, true, options);
  const draft = await summarizeMiddle(start, options);
  const result = resultOf(draft.conversation.messages, draft !== raw, options);
  return draft === start ? result : { ...result, newState: stateOf(draft, options) };
}

function viewOf(draft: Draft, options: ContextOptions): View {
  const { counter, hash = pureHash } = options;
  return makeView(draft, { limits: contextBudget(options), counter, hash });
}

/** Returns the conversation with the summary of an earlier turn, if it still covers the start of the middle. */
function knownDraft(
  raw: Draft,
  state: ContextState,
  { middle, options }: { middle: Range; options: ContextOptions },
): Draft | undefined {
  const { hash = pureHash } = options;
  const isUsable = state.projection === undefined && (isCurrent(state, middle) || isPrefix(state, middle));
  if (state.strategy !== sandwich.id || !isUsable || !matchesMessages(state, raw.conversation.messages, hash))
    return undefined;
  const { latestUserMessage } = viewOf(raw, options);
  const pieces = piecesOf(state);
  if (pieces.some(({ from, to }) => from <= latestUserMessage && latestUserMessage < to)) return undefined;
  const edits = pieces.map(({ from, to, text }): Edit => {
    return { kind: "replace", from, to, with: [summaryNote(text)], reason: "summarize" };
  });
  return apply(raw, edits, { answers: [], hash });
}

/** Runs `sandwich` on a draft. Returns the draft itself if it would not become smaller. */
async function summarizeMiddle(start: Draft, options: ContextOptions): Promise<Draft> {
  const { counter, hash = pureHash } = options;
  const list = { passes: sandwich.passes(options.config), stopsAtTarget: false };
  const running = runPasses(start, list, { limits: contextBudget(options), counter, hash });
  return (await drive(running, (asks) => Promise.all(asks.map((ask) => answer(ask, options))))).draft;
}

function stateOf({ raw, slots }: Draft, { now, hash = pureHash }: ContextOptions): ContextState {
  const pieces = slots.flatMap((slot): SummaryPiece[] => {
    const text = slot.kind === "made" ? summaryIn(slot.message) : undefined;
    return slot.kind === "made" && text !== undefined ? [{ from: slot.from, to: slot.to, text }] : [];
  });
  const to = pieces.at(-1)?.to ?? 0;
  return {
    strategy: sandwich.id,
    summary: pieces.map((piece) => piece.text).join("\n\n"),
    summaryRange: [pieces[0]?.from ?? 0, to],
    compressedAt: new Date(now()).toISOString(),
    ...(pieces.length > 1 ? { pieces } : {}),
    prefix: prefixHash(raw.messages, to, hash),
  };
}
