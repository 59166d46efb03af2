import type { Dialect, Reply } from "../core/api.ts";
import type { Rejection } from "../core/rejection.ts";
import type { EncodedReply } from "./encode-reply.ts";
import type { Step } from "./steps.ts";

/** One way in which an upstream can fail: it acts where it has something to say. `value` is what the fault was given. */
export interface FaultKind {
  /** Refuses the request instead of answering it. */
  readonly refuse?: (value: string) => Rejection;
  /** Changes what is said. */
  readonly reply?: (reply: Reply, value: string, dialect: Dialect) => Reply;
  /** Changes status, headers or bytes. */
  readonly encoded?: (encoded: EncodedReply, value: string) => EncodedReply;
  /** Changes what is done on the connection. */
  readonly steps?: (steps: readonly Step[], value: string) => readonly Step[];
}
