import type { ServerResponse } from "node:http";
import type { Step } from "./steps.ts";

/** Waits, or stops waiting when the signal says so. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

/** Carries out steps on a connection. Writes no faster than the client reads, and stops when it leaves. */
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
      if (!response.write(step.bytes)) await eventOrEnd(response, "drain", signal);
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
      // What was written before has to leave first, or the client sees none of it.
      if (response.headersSent) await new Promise((resolve) => setImmediate(resolve));
      response.socket?.resetAndDestroy();
      return;
    case "hang":
      return eventOrEnd(response, "close", signal);
    default:
      return step satisfies never;
  }
}

function eventOrEnd(response: ServerResponse, event: "drain" | "close", signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    response.once(event, () => resolve());
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
