export type { ListedModel, PathLine } from "./codec/api.ts";
export type { CacheMarks, LimitField } from "./codec/traits.ts";
export {
  type AnswerMarks,
  type Codec,
  type ContextEditWords,
  type EncodedError,
  type EncodedRequest,
  finish,
  type ReplyContext,
  type RequestLine,
  type Restore,
  type Step,
  type Stepper,
  type Steps,
  type WireEvent,
} from "./codec.ts";
export { CODECS, codecNamed, codecOf, findCodec } from "./codecs.ts";
export { type Collecting, collectReply, eventsOf, replyCollector } from "./collect.ts";
export { MISSING_RESULT, type PairRules, repairPairs } from "./fit/pairs.ts";
export { asMarkedUser } from "./fit/system-messages.ts";
export { type Refusal, recogniseOverflow } from "./overflow.ts";
export { isShort, parseJson, parseShort } from "./parse-json.ts";
export { brokenOff, brokenReply } from "./read-reply.ts";
export { NOTHING_TO_RESTORE, restoreReply, restoreStream, restoresNothing } from "./restore.ts";
export { runSteps } from "./run-steps.ts";
export * from "./split-body.ts";
export { MAX_EVENT_BYTES, oversizedEvent, type SseState, sseReader, writeSse } from "./sse.ts";
export type { ReasoningRules, Target } from "./target.ts";
export type { Warn, Warning } from "./warnings.ts";
