export { betaHeader, betasIn, isLongContextRefusal, removedBetas, withBetas } from "./compaction/betas.ts";
export { blocksIn, holdsBlock, isRefusedBlock, projectionOfBlock } from "./compaction/blocks.ts";
export { COMPACTION_INSTRUCTIONS, compactionPlan } from "./compaction/compaction-plan.ts";
export { makeCompactor } from "./compaction/make-compactor.ts";
export type { CompactionNote } from "./compaction/strip-compaction.ts";
export { stripReply, stripStream } from "./compaction/strip-compaction.ts";
export type { Destination, UnreadSuffix } from "./destinations/destination.ts";
export { destinationAt, termsFor, withTerms } from "./destinations/destination.ts";
export {
  type HandlesContext,
  openHandles,
  type UpstreamHandle,
} from "./destinations/handles.ts";
export { headersFor, plainHeaders, wireDestination } from "./destinations/wire-destination.ts";
export { changedRequest, fittedBody, markersIn, sentBody } from "./fitted/fitted-body.ts";
export { learnOverflow, learnUnnamed, pressureAfter, record } from "./fitted/learn-from-answer.ts";
export type { CondensedNote, SizedNote } from "./fitted/sized-note.ts";
export { sizedNote, sizeToSend } from "./fitted/sized-note.ts";
export { type AnswerAsk, keepBlock, sentMessages } from "./fitting/condense.ts";
export { type FitContext, type Fitted, fit, wasSentLately } from "./fitting/fit.ts";
export { type FitRequest, type Form, rawForm } from "./fitting/fit-request.ts";
export { planOptions, windowOf } from "./fitting/limits.ts";
export { openFitRequest, type Pressure } from "./fitting/open-fit-request.ts";
export { namingOf } from "./fitting/scope.ts";
export { makeKnownMessages, sha256 } from "./history/known-messages.ts";
export { formName } from "./memory/epochs.ts";
export { pruneDaily } from "./memory/prune-daily.ts";
export { type FitState, openFitState } from "./memory/state.ts";
export { type TolerantOptions, tolerantStore } from "./memory/tolerant-store.ts";
export { SMALL_BODY_BYTES, spliceBytes, splitScanned } from "./request/body-bytes.ts";
export type { Call, Received } from "./request/call.ts";
export { decode, decodePaced, mustParse, peekModel } from "./request/decode.ts";
export { cleanName, isUnguessable, type Naming, type Owner, redactLookalikes } from "./request/naming.ts";
export { isSlowToWrite, stringifyPaced } from "./request/paced-json.ts";
export { findModelField, mentionsReasoning, peekStream } from "./request/peek-body.ts";
export { openScanner, type Scanner } from "./request/scan.ts";
export { sealSummary, summaryIn, withReadableSummaries } from "./request/sealed-summary.ts";
export { callModel } from "./summaries/call-model.ts";
export { makeSummarizer } from "./summaries/make-summarizer.ts";
export type { SentRequest, SummaryNote, WriterFailure } from "./summaries/summarizer.ts";
export { type AnswerQuestion, keepThread, serveJobs, Thread } from "./threads/thread.ts";
export { DAY_MS, everyDay, inTime, LATE, makePauses, once, type Pauses } from "./threads/timing.ts";
