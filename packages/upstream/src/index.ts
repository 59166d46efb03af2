export { asBuffer } from "./client/as-buffer.ts";
export { type Circuit, makeCircuit } from "./client/circuit.ts";
export { collect } from "./client/collect.ts";
export { mediaKind } from "./client/media-kind.ts";
export * from "./client/network.ts";
export {
  checkError,
  isStreamed,
  MAX_ANSWER_BYTES,
  parseAnswer,
  readGoodBody,
  readRefusal,
  readWhole,
  tooLargeAnswer,
  withoutBom,
} from "./client/read-answer.ts";
export { makeRetryBudget, type RetryBudget, retryAfterMs, retryDelayMs } from "./client/retry.ts";
export { watchStreamEnd } from "./client/stream-end.ts";
export * from "./requests/deployments.ts";
export * from "./requests/headers.ts";
export * from "./requests/upstream.ts";
export { encodeSegment } from "./requests/vendor-apis.ts";
export { UNPACKERS } from "./transport/unpack.ts";
