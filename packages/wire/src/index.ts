export { systemAsUser } from "./adapt/roles.ts";
export { findLongTexts } from "./bytes/long-texts.ts";
export { isShort, parseJson, parseShort, SHORT_BYTES } from "./bytes/parse-json.ts";
export { checkJsonLimits } from "./bytes/scan-json.ts";
export * from "./bytes/split-body.ts";
export type { CacheMarks, LimitField, ListedModel, PathPattern, References } from "./codec/api.ts";
export type * from "./codec/codec.ts";
export { isOwnEntry } from "./codec/own-entry.ts";
export type { ReasoningRules, Warning, WireDestination } from "./codec/rules.ts";
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
export { defined } from "./fields/json.ts";
export { MESSAGE_CODECS } from "./message-codecs.ts";
export { collectReply, eventsOf, type ReplyDraft, replyCollector } from "./reply/collect.ts";
export { brokenReply, truncatedStream } from "./reply/read-reply.ts";
export { NOTHING_TO_RESTORE, restoreReply, restoreStream, restoresNothing } from "./reply/restore.ts";
export { MAX_EVENT_BYTES, oversizedEvent, sseReader, writeSse } from "./reply/sse.ts";
