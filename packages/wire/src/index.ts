export { MISSING_RESULT, type PairRules, repairPairs } from "./adapt/pairs.ts";
export { asMarkedUser } from "./adapt/roles.ts";
export { isShort, parseJson, parseShort } from "./bytes/parse-json.ts";
export { checkJsonLimits } from "./bytes/scan-json.ts";
export * from "./bytes/split-body.ts";
export type { CacheMarks, LimitField, ListedModel, PathLine, References } from "./codec/api.ts";
export type {
  AnswerMarks,
  Codec,
  ContextEditWords,
  EncodedError,
  EncodedRequest,
  RequestLine,
  Restore,
} from "./codec/codec.ts";
export type { ReasoningRules, Target, Warn, Warning } from "./codec/rules.ts";
export {
  finish,
  type ReplyContext,
  runSteps,
  type Step,
  type Stepper,
  type Steps,
  type WireEvent,
} from "./codec/stepper.ts";
export { CODECS, codecNamed, codecOf, findCodec } from "./codecs.ts";
export { type Refusal, recogniseOverflow } from "./errors/overflow.ts";
export { type Collecting, collectReply, eventsOf, replyCollector } from "./reply/collect.ts";
export { brokenOff, brokenReply } from "./reply/read-reply.ts";
export { NOTHING_TO_RESTORE, restoreReply, restoreStream, restoresNothing } from "./reply/restore.ts";
export { MAX_EVENT_BYTES, oversizedEvent, type SseState, sseReader, writeSse } from "./reply/sse.ts";
