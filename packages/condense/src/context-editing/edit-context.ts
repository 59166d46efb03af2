import type {
  AppliedEdit,
  ContextEdit,
  ContextEdits,
  ContextEditsReport,
  Conversation,
  Hash,
  MadeCompaction,
  Usage,
} from "@longhaul/conversation/advanced";
import type { TokenCounter } from "@longhaul/models";
import type { PassReport } from "../contract/report.ts";
import type { Pass } from "../contract/strategy.ts";
import { makeView } from "../contract/view.ts";
import { type Draft, openDraft } from "../edits/draft.ts";
import type { Answer } from "../edits/edit.ts";
import {
  type AnsweringContext,
  answerAsks,
  type RunContext,
  type RunResult,
  type RunSteps,
  runPasses,
} from "../engine/run.ts";
import { apply } from "../rewrite/apply.ts";
import { flatten, type Projection } from "../rewrite/projection.ts";
import { clearThinkingPass, clearToolUsesPass, isTriggered, turnsToClear, usesToClear } from "./clear.ts";
import { compactPass, hasSummary, resumeEdits, summaryOf } from "./compaction.ts";

/** The context of context editing. */
export interface EditingContext extends Pick<RunContext, "now"> {
  readonly counter: TokenCounter;
  readonly hash: Hash;
}

/** A conversation after a client's context edits. */
export interface EditedContext {
  /** The identical object if nothing changed. */
  readonly conversation: Conversation;
  /** The changes in the coordinates of the raw conversation. */
  readonly projection: Projection;
  /** The report for the client. */
  readonly report: ContextEditsReport;
  /** The passes that were due. */
  readonly passes: readonly PassReport[];
}

/** Applies a client's context edits, calling the summarizer if a compaction needs one. */
export async function editContext(
  conversation: Conversation,
  edits: ContextEdits,
  context: EditingContext & AnsweringContext,
): Promise<EditedContext> {
  return await answerAsks(editContextInSteps(conversation, edits, context), context);
}

/**
 * Applies context edits as a generator that yields asks and calls nothing. Each edit works on the result of the previous ones and depends
 * only on the conversation: while nothing new is due, a growing history keeps the same start.
 */
export function* editContextInSteps(
  conversation: Conversation,
  edits: ContextEdits,
  context: EditingContext,
): RunSteps<EditedContext> {
  // A vendor's compaction replaces the task too; its summary contains it.
  const running: RunContext = { ...context, limits: NO_LIMITS, dropsTask: true };
  let draft = resume(conversation, edits, running);
  const passes: PassReport[] = [];
  const applied: AppliedEdit[] = [];
  let compaction: MadeCompaction | undefined;
  for (const edit of edits) {
    if (!isDue(edit, draft.conversation, context.counter)) continue;
    const { run, usage } = yield* withUsage(runPasses(draft, passListOf(edit), running));
    const outcome = { before: draft, run, usage };
    passes.push(...run.passes);
    draft = run.draft;
    if (outcome.before === draft) continue;
    if (edit.kind === "compact") compaction = compactionOf(outcome, edit.pausesAfter);
    else applied.push(appliedOf(edit, outcome, context.counter));
  }
  const report = { applied, ...(compaction !== undefined && { compaction }) };
  return { conversation: draft.conversation, projection: flatten(draft, context.hash), report, passes };
}

const NO_LIMITS = {
  windowTokens: Number.POSITIVE_INFINITY,
  budgetTokens: Number.POSITIVE_INFINITY,
  targetTokens: Number.POSITIVE_INFINITY,
};

/** A returned summary replaces its messages before anything else is checked. */
function resume(conversation: Conversation, edits: ContextEdits, context: RunContext): Draft {
  const draft = openDraft(conversation);
  if (!edits.some(({ kind }) => kind === "compact") || !hasSummary(conversation)) return draft;
  return apply(draft, resumeEdits(makeView(draft, context)), { answers: [], hash: context.hash });
}

/** Checked before a pass runs, because most requests have nothing to clear. */
function isDue(edit: ContextEdit, conversation: Conversation, counter: TokenCounter): boolean {
  switch (edit.kind) {
    case "clear-thinking":
      return turnsToClear(conversation.messages, edit).length > 0;
    case "clear-tool-uses":
      return isTriggered(edit, conversation, counter);
    case "compact":
      return counter.countConversation(conversation) > edit.overTokens;
    default:
      return edit satisfies never;
  }
}

function passListOf(edit: ContextEdit): { passes: readonly Pass[]; stopsAtTarget: boolean } {
  return { passes: contextEditingPasses([edit]), stopsAtTarget: false };
}

/** Returns the passes for context edits, in order. */
export function contextEditingPasses(edits: ContextEdits): readonly Pass[] {
  return edits.map((edit) => {
    switch (edit.kind) {
      case "clear-thinking":
        return clearThinkingPass(edit);
      case "clear-tool-uses":
        return clearToolUsesPass(edit);
      case "compact":
        return compactPass(edit);
      default:
        return edit satisfies never;
    }
  });
}

interface Outcome {
  readonly before: Draft;
  readonly run: RunResult;
  readonly usage: Usage | undefined;
}

function appliedOf(
  edit: Exclude<ContextEdit, { kind: "compact" }>,
  { before, run }: Outcome,
  counter: TokenCounter,
): AppliedEdit {
  const { messages } = before.conversation;
  const clearedTokens = run.passes.reduce((sum, pass) => sum + pass.tokensBefore - pass.tokensAfter, 0);
  if (edit.kind === "clear-thinking") {
    return { kind: edit.kind, clearedTurns: turnsToClear(messages, edit).length, clearedTokens };
  }
  return { kind: edit.kind, clearedToolUses: usesToClear(messages, edit, counter).length, clearedTokens };
}

function compactionOf({ before, run, usage }: Outcome, pausesAfter: boolean): MadeCompaction | undefined {
  const made = run.draft.slots.find((slot) => slot.kind === "made" && !before.slots.includes(slot));
  const block = made === undefined ? undefined : summaryOf(made.message);
  if (block === undefined) return undefined;
  return { block, pausesAfter, ...(usage !== undefined && { usage }) };
}

/** Runs passes and returns the usage of the answers to their asks. */
function* withUsage(running: RunSteps<RunResult>): RunSteps<{ run: RunResult; usage: Usage | undefined }> {
  const received: Answer[] = [];
  let step = running.next();
  while (step.done !== true) {
    const answers = yield step.value;
    received.push(...answers);
    step = running.next(answers);
  }
  return { run: step.value, usage: received.find((answer) => answer.usage !== undefined)?.usage };
}
