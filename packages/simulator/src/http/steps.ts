import type { EncodedReply } from "./encode-reply.ts";

/** What is done on a connection, one after the other. */
export type Step =
  | { readonly kind: "head"; readonly status: number; readonly headers: Readonly<Record<string, string>> }
  | { readonly kind: "write"; readonly bytes: Uint8Array }
  | { readonly kind: "wait"; readonly ms: number }
  /** Closes in order: the answer is complete. */
  | { readonly kind: "end" }
  /** Closes the connection although the answer is not complete. */
  | { readonly kind: "close" }
  /** Tears the connection down. */
  | { readonly kind: "reset" }
  /** Says nothing more until the client leaves. */
  | { readonly kind: "hang" };

/** How fast an answer is given. */
export interface Pace {
  /** Time until the status. */
  readonly firstByteMs: number;
  /** Time between two events of a stream. */
  readonly gapMs: number;
}

/** The steps of sending an answer at a pace. */
export function stepsOf({ status, headers, chunks }: EncodedReply, { firstByteMs, gapMs }: Pace): readonly Step[] {
  const wait = (ms: number): Step[] => (ms > 0 ? [{ kind: "wait", ms }] : []);
  const isStream = headers["content-length"] === undefined;
  return [
    ...wait(firstByteMs),
    { kind: "head", status, headers },
    ...chunks.flatMap((bytes, at): Step[] => [...(isStream && at > 0 ? wait(gapMs) : []), { kind: "write", bytes }]),
    { kind: "end" },
  ];
}
