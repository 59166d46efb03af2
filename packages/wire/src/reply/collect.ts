import {
  type Block,
  type LonghaulError,
  NO_USAGE,
  type Reply,
  type StopReason,
  type StreamEvent,
  type Usage,
} from "@longhaul/conversation/advanced";
import type { EventOf } from "../codec/stepper.ts";
import { parseInput, stringifyInput } from "../content/tool-input.ts";
import { defined } from "../fields/json.ts";
import { truncatedStream } from "./read-reply.ts";

/** A partially received reply. */
export interface ReplyDraft {
  readonly id: string;
  readonly model: string;
  readonly parts: ReadonlyMap<number, Part>;
  readonly usage: Usage;
  readonly stopReason?: StopReason;
  readonly stopSequence?: string;
  readonly error?: LonghaulError;
}

/** A partially received block. */
interface Part {
  readonly text: string;
  finish(text: string): Block;
}

/** Assembles a reply from its stream. `end` throws the stream's error, or `upstream.broken` if the stream is incomplete. */
export const replyCollector = { start: startCollecting, step: collect, end: finishCollecting };

/** Assembles the reply of a complete stream. */
export function collectReply(events: Iterable<StreamEvent>): Reply {
  let state = startCollecting();
  for (const event of events) state = collect(state, event);
  return finishCollecting(state);
}

function startCollecting(): ReplyDraft {
  return { id: "", model: "", parts: new Map(), usage: NO_USAGE };
}

function collect(state: ReplyDraft, event: StreamEvent): ReplyDraft {
  switch (event.type) {
    case "text-delta":
    case "thinking-delta":
      return addText(state, event.index, event.text);
    case "tool-call-delta":
      return addText(state, event.index, event.json);
    case "reply-start":
      return { ...state, id: event.id, model: event.model, usage: event.usage ?? state.usage };
    case "reply-end": {
      const { stopReason, stopSequence, usage } = event;
      return { ...state, ...defined({ stopReason, stopSequence, usage }) };
    }
    case "error":
      return { ...state, error: event.error };
    case "ping":
    case "native":
    case "text-end":
    case "tool-call-end":
      return state;
    case "text-start":
      return withPart(state, event.index, { text: "", finish: (text) => ({ type: "text", text }) });
    case "thinking-start": {
      const { id, vendor } = event;
      return withPart(state, event.index, {
        text: "",
        finish: (text) => defined({ type: "thinking", text, id, vendor }),
      });
    }
    case "thinking-end":
      return signThinking(state, event);
    case "tool-call-start":
      return withPart(state, event.index, { text: "", finish: (text) => callOf(event, text) });
    case "block":
      return withPart(state, event.index, { text: "", finish: () => event.block });
    default:
      return event satisfies never;
  }
}

function callOf({ id, name, signature, freeText }: EventOf<"tool-call-start">, text: string): Block {
  const input = freeText === true ? text : parseInput(text);
  return defined({ type: "tool-call", id, name, input, signature });
}

function signThinking(state: ReplyDraft, { index, signature, vendor, native }: EventOf<"thinking-end">): ReplyDraft {
  const part = state.parts.get(index);
  if (part === undefined) return state;
  return withPart(state, index, {
    ...part,
    finish: (text) => ({ ...part.finish(text), ...defined({ signature, vendor, native }) }),
  });
}

function addText(state: ReplyDraft, index: number, text: string): ReplyDraft {
  const part = state.parts.get(index);
  return part === undefined ? state : withPart(state, index, { ...part, text: part.text + text });
}

function withPart(state: ReplyDraft, index: number, part: Part): ReplyDraft {
  return { ...state, parts: new Map(state.parts).set(index, part) };
}

function finishCollecting({ error, id, model, parts, usage, stopReason, stopSequence }: ReplyDraft): Reply {
  if (error !== undefined) throw error;
  if (stopReason === undefined) throw truncatedStream();
  const blocks = [...parts].sort(([left], [right]) => left - right).map(([, part]) => part.finish(part.text));
  return defined({ id, model, blocks, stopReason, stopSequence, usage });
}

/** Returns the stream events of a complete reply, for clients that want a stream when the upstream did not send one. */
export function eventsOf(reply: Reply): readonly StreamEvent[] {
  const { id, model, usage, stopReason, stopSequence } = reply;
  return [
    { type: "reply-start", id, model, usage: { ...usage, outputTokens: 0 } },
    ...reply.blocks.flatMap(eventsOfBlock),
    defined({ type: "reply-end", stopReason, stopSequence, usage }),
  ];
}

function eventsOfBlock(block: Block, index: number): readonly StreamEvent[] {
  switch (block.type) {
    case "text":
      return [
        { type: "text-start", index },
        { type: "text-delta", index, text: block.text },
        { type: "text-end", index },
      ];
    case "thinking":
      return [
        defined({ type: "thinking-start", index, id: block.id, vendor: block.vendor }),
        ...(block.text === "" ? [] : [{ type: "thinking-delta" as const, index, text: block.text }]),
        defined({ type: "thinking-end", index, signature: block.signature }),
      ];
    case "tool-call": {
      const { id, name, signature, input } = block;
      const freeText = typeof input === "string" ? true : undefined;
      return [
        defined({ type: "tool-call-start", index, id, name, signature, freeText }),
        { type: "tool-call-delta", index, json: stringifyInput(input) },
        { type: "tool-call-end", index },
      ];
    }
    default:
      return [{ type: "block", index, block }];
  }
}
