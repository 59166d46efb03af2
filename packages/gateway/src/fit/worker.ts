import { parentPort } from "node:worker_threads";
import type { Answer, Ask, Projection } from "@longhaul/condense";
import { type ErrorCode, LonghaulError } from "@longhaul/conversation";
import { makeTokenCounters } from "@longhaul/models";
import { sha256 } from "../known-messages.ts";
import type { Rendering } from "./parts.ts";
import type { Prompt } from "./prompt.ts";
import { type Condensed, type CondenseWork, condenseWork, renderWork } from "./work.ts";

/** What the gateway asks of its worker. */
export type ToWorker =
  | { readonly kind: "condense"; readonly id: number; readonly work: CondenseWork }
  | { readonly kind: "render"; readonly id: number; readonly prompt: Prompt; readonly projection: Projection }
  | { readonly kind: "answers"; readonly id: number; readonly answers: readonly Answer[] }
  /** Nobody waits for this condensation any more. */
  | { readonly kind: "stop"; readonly id: number };

/** What the worker says. */
export type FromWorker =
  | { readonly kind: "asks"; readonly id: number; readonly asks: readonly Ask[] }
  | { readonly kind: "condensed"; readonly id: number; readonly condensed: Condensed }
  | { readonly kind: "rendered"; readonly id: number; readonly rendering: Rendering }
  | { readonly kind: "failed"; readonly id: number; readonly code: ErrorCode; readonly message: string };

const counters = makeTokenCounters({ hash: sha256 });
const running = new Map<number, ReturnType<typeof condenseWork>>();

function say(message: FromWorker): void {
  parentPort?.postMessage(message);
}

/** Asks cross to the gateway's thread, which should not spend its time on copies of what the client spelled. */
function lean(ask: Ask): Ask {
  const messages = ask.messages.map(({ role, blocks }) => ({
    role,
    blocks: blocks.map((block) => {
      if (block.type === "opaque") return block;
      const { native: _, ...rest } = block;
      return rest;
    }),
  }));
  return { ...ask, messages };
}

function step(id: number, answers?: readonly Answer[]): void {
  const run = running.get(id);
  if (run === undefined) return;
  const next = answers === undefined ? run.next() : run.next(answers);
  if (next.done === true) running.delete(id);
  say(
    next.done === true
      ? { kind: "condensed", id, condensed: next.value }
      : { kind: "asks", id, asks: next.value.map(lean) },
  );
}

async function take(message: ToWorker): Promise<void> {
  const { id } = message;
  if (message.kind === "answers") return step(id, message.answers);
  if (message.kind === "stop") return void running.delete(id);
  const { prompt } = message.kind === "condense" ? message.work : message;
  const counter = await counters.counterFor(prompt.tokenizer, prompt.ratio);
  if (message.kind === "render") {
    say({ kind: "rendered", id, rendering: renderWork(prompt, message.projection, counter) });
  } else {
    running.set(id, condenseWork(message.work, counter));
    step(id);
  }
}

parentPort?.on("message", (message: ToWorker) => {
  take(message).catch((error: unknown) => {
    running.delete(message.id);
    const code = error instanceof LonghaulError ? error.code : "internal.bug";
    say({ kind: "failed", id: message.id, code, message: error instanceof Error ? error.message : String(error) });
  });
});
