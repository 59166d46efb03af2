export { isShort, parseJson, parseShort } from "./bytes/parse-json.ts";
export * from "./bytes/split-body.ts";
export type { ListedModel, PathLine } from "./codec/api.ts";
export type {
  AnswerMarks,
  Codec,
  ContextEditWords,
  EncodedError,
  EncodedRequest,
  RequestLine,
  Restore,
} from "./codec/codec.ts";
export {
  finish,
  type ReplyContext,
  runSteps,
  type Step,
  type Stepper,
  type Steps,
  type WireEvent,
} from "./codec/stepper.ts";
export type { ReasoningRules, Target } from "./codec/target.ts";
export type { CacheMarks, LimitField, References } from "./codec/traits.ts";
export type { Warn, Warning } from "./codec/warnings.ts";
export { CODECS, codecNamed, codecOf, findCodec } from "./codecs.ts";
export { type Refusal, recogniseOverflow } from "./errors/overflow.ts";
export { MISSING_RESULT, type PairRules, repairPairs } from "./fit/pairs.ts";
export { asMarkedUser } from "./fit/system-messages.ts";
export { type Collecting, collectReply, eventsOf, replyCollector } from "./reply/collect.ts";
export { brokenOff, brokenReply } from "./reply/read-reply.ts";
export { NOTHING_TO_RESTORE, restoreReply, restoreStream, restoresNothing } from "./reply/restore.ts";
export { MAX_EVENT_BYTES, oversizedEvent, type SseState, sseReader, writeSse } from "./reply/sse.ts";
