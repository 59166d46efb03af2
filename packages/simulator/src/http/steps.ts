import type { ServerResponse } from "node:http";
import type { EncodedReply } from "./encode-reply.ts";

export type Step =
  | { readonly kind: "head"; readonly status: number; readonly headers: Readonly<Record<string, string>> }
  | { readonly kind: "write"; readonly bytes: Uint8Array }
  | { readonly kind: "wait"; readonly ms: number }
  | { readonly kind: "end" }
  /** Closes the connection before the response is complete. */
  | { readonly kind: "close" }
  | { readonly kind: "reset" }
  /** Sends nothing more until the client leaves. */
  | { readonly kind: "hang" };

/** How fast responses are sent. */
export interface Pace {
  /** Time until the status. */
  readonly firstByteMs: number;
  /** Time between two events of a stream. */
  readonly gapMs: number;
}

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

/** Waits until the time is over or the signal aborts. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

/** Runs steps on a connection. Writes no faster than the client reads, and stops when it leaves. */
export async function sendSteps(response: ServerResponse, steps: readonly Step[], wait: Wait): Promise<void> {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  for (const step of steps) {
    if (gone.signal.aborted) return;
    await sendStep(response, step, { wait, signal: gone.signal });
  }
}

async function sendStep(
  response: ServerResponse,
  step: Step,
  { wait, signal }: { wait: Wait; signal: AbortSignal },
): Promise<void> {
  switch (step.kind) {
    case "head":
      response.writeHead(step.status, step.headers);
      response.flushHeaders();
      return;
    case "write":
      if (!response.write(step.bytes)) await waitForEvent(response, "drain", signal);
      return;
    case "wait":
      return wait(step.ms, signal);
    case "end":
      response.end();
      return;
    case "close":
      response.socket?.end();
      return;
    case "reset":
      // Flush earlier writes, or the client sees none of them.
      if (response.headersSent) await new Promise((resolve) => setImmediate(resolve));
      response.socket?.resetAndDestroy();
      return;
    case "hang":
      return waitForEvent(response, "close", signal);
    default:
      return step satisfies never;
  }
}

function waitForEvent(response: ServerResponse, event: "drain" | "close", signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    response.once(event, () => resolve());
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
