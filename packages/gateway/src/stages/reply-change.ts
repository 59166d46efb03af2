import { expandReply, expandReplyStream } from "@longhaul/condense/advanced";
import type { ContextEditsReport, Reply, StreamEvent } from "@longhaul/conversation/advanced";
import { type CompactionNote, type Fitted, keepBlock, knownReferencesIn, stripReply, stripStream } from "@longhaul/fit";
import type { Log } from "../logging/log.ts";
import type { ReplyThoughts } from "../reasoning/reply-thoughts.ts";

/** The changes of an answer before the client sees it. */
export interface ReplyChange {
  whole(reply: Reply): Reply;
  /** Starts a run over the events of a stream. */
  stream(): (event: StreamEvent) => readonly StreamEvent[];
  /** The report of the client's own context edits, if the gateway applied them. */
  readonly contextEdits?: ContextEditsReport;
}

export interface ReplyChangeOptions {
  readonly fitted: Fitted | undefined;
  readonly contextEdits: ContextEditsReport | undefined;
  /** Keeps and hides the reasoning. @default it stays */
  readonly thoughts?: ReplyThoughts | undefined;
  readonly log: Log;
}

/** Returns the changes that an answer needs; undefined if its bytes can stay. */
export function replyChangeFor(options: ReplyChangeOptions): ReplyChange | undefined {
  const { fitted, contextEdits, thoughts, log } = options;
  const strips = fitted?.fitRequest.compaction.strips === true;
  const references = fitted && knownReferencesIn(fitted);
  if (!strips && [references, contextEdits, thoughts].every((part) => part === undefined)) return undefined;
  const onCompaction = (note: CompactionNote) => void keepSummary(note, fitted, log);
  return {
    whole: (reply) => {
      const stripped = strips ? stripReply(reply, onCompaction) : reply;
      const expanded = references === undefined ? stripped : expandReply(stripped, references).reply;
      return thoughts?.whole(expanded) ?? expanded;
    },
    stream: () => {
      const strip = strips ? stepping(stripStream(onCompaction)) : undefined;
      const expand = references === undefined ? undefined : stepping(expandReplyStream(references));
      const steps = [strip, expand, thoughts?.stream()].filter((step) => step !== undefined);
      const [only = (event: StreamEvent) => [event]] = steps;
      return steps.length < 2 ? only : (event) => steps.reduce((events, step) => events.flatMap(step), [event]);
    },
    ...(contextEdits === undefined ? {} : { contextEdits }),
  };
}

function stepping<State>(stepper: {
  start(): State;
  step(state: State, event: StreamEvent): readonly [State, readonly StreamEvent[]];
}): (event: StreamEvent) => readonly StreamEvent[] {
  let state = stepper.start();
  return (event) => {
    const [next, out] = stepper.step(state, event);
    state = next;
    return out;
  };
}

/** Stores a vendor's summary for the next turns. */
async function keepSummary(note: CompactionNote, fitted: Fitted | undefined, log: Log): Promise<void> {
  if (fitted === undefined) return;
  const { call, destination } = fitted.fitRequest;
  if (note.kind !== "compacted") {
    const what = note.kind === "failed" ? FAILED : EMPTY;
    log.warned(`"${destination.model}" compacted a conversation ${what} (request ${call.id})`);
    return;
  }
  try {
    const { upstream, strategy, tokensBefore, tokensAfter, costUsd } = await keepBlock(fitted, note.block);
    const figures = { strategy, tokensBefore, tokensAfter, costUsd, estimatedUsd: costUsd, ms: 0, warnings: undefined };
    log.condensed({ id: call.id, model: destination.model, upstream, ...figures });
  } catch (error) {
    log.bug(error, call.id);
  }
}

const FAILED = "but returned no summary";
const EMPTY = "and then returned an empty reply";
