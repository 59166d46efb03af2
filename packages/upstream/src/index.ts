export { type CallContext, type Called, callModel } from "./client/call-model.ts";
export type { Circuit } from "./client/circuit.ts";
export {
  type HandleContext,
  isUpstreamFailure,
  openHandle,
  type UpstreamHandle,
  withRetries,
} from "./client/handle.ts";
export {
  asBuffer,
  checkError,
  collect,
  isStreamed,
  MAX_ANSWER_BYTES,
  mediaKind,
  parseAnswer,
  readGoodBody,
  readRefusal,
  readWhole,
  tooLargeAnswer,
  withoutBom,
} from "./client/read-answer.ts";
export { watchStreamEnd } from "./client/stream-end.ts";
export * from "./requests/deployments.ts";
export * from "./requests/headers.ts";
export * from "./requests/upstream.ts";
export { encodeSegment } from "./requests/vendor-apis.ts";
export * from "./transport/connection.ts";
export { UNPACKERS } from "./transport/unpack.ts";
