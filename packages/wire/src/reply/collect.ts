import {
  type Block,
  LonghaulError,
  NO_USAGE,
  type Reply,
  type StopReason,
  type StreamEvent,
  type Usage,
} from "@longhaul/conversation";
import { parseInput, spellInput } from "../content/tool-input.ts";
import { given } from "../fields/json.ts";

/** A reply that is arriving. */
export interface Collecting {
  readonly id: string;
  readonly model: string;
  readonly parts: ReadonlyMap<number, Part>;
  readonly usage: Usage;
  readonly stopReason?: StopReason;
  readonly stopSequence?: string;
  readonly error?: LonghaulError;
}

/** A block that is arriving: what is known of it, and the text so far. */
interface Part {
  readonly text: string;
  finish(text: string): Block;
}

/** Puts a reply together from its stream. `end` throws the stream's error, or says that it broke off. */
export const replyCollector = { start: startCollecting, step: collect, end: finishCollecting };

/** The reply that a whole stream tells. */
export function collectReply(events: Iterable<StreamEvent>): Reply {
  let state = startCollecting();
  for (const event of events) state = collect(state, event);
  return finishCollecting(state);
}

function startCollecting(): Collecting {
  return { id: "", model: "", parts: new Map(), usage: NO_USAGE };
}

function collect(state: Collecting, event: StreamEvent): Collecting {
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
      return { ...state, ...given({ stopReason, stopSequence, usage }) };
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
    case "thinking-start":
      return withPart(state, event.index, { text: "", finish: (text) => thinkingOf(event, text) });
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

type Event<T extends StreamEvent["type"]> = Extract<StreamEvent, { type: T }>;

function thinkingOf({ id, vendor }: Event<"thinking-start">, text: string): Block {
  return given({ type: "thinking", text, id, vendor });
}

function callOf({ id, name, signature, freeText }: Event<"tool-call-start">, text: string): Block {
  const input = freeText === true ? text : parseInput(text);
  return given({ type: "tool-call", id, name, input, signature });
}

function signThinking(state: Collecting, { index, signature, vendor, native }: Event<"thinking-end">): Collecting {
  const part = state.parts.get(index);
  if (part === undefined) return state;
  return withPart(state, index, {
    ...part,
    finish: (text) => ({ ...part.finish(text), ...given({ signature, vendor, native }) }),
  });
}

function addText(state: Collecting, index: number, text: string): Collecting {
  const part = state.parts.get(index);
  return part === undefined ? state : withPart(state, index, { ...part, text: part.text + text });
}

function withPart(state: Collecting, index: number, part: Part): Collecting {
  return { ...state, parts: new Map(state.parts).set(index, part) };
}

function finishCollecting({ error, id, model, parts, usage, stopReason, stopSequence }: Collecting): Reply {
  if (error !== undefined) throw error;
  if (stopReason === undefined)
    throw new LonghaulError("upstream.broken", "the reply broke off before its end; try again");
  const blocks = [...parts].sort(([left], [right]) => left - right).map(([, part]) => part.finish(part.text));
  return given({ id, model, blocks, stopReason, stopSequence, usage });
}

/** The stream that tells a whole reply, for clients that want a stream where the upstream gave none. */
export function eventsOf(reply: Reply): readonly StreamEvent[] {
  const { id, model, usage, stopReason, stopSequence } = reply;
  return [
    { type: "reply-start", id, model, usage: { ...usage, outputTokens: 0 } },
    ...reply.blocks.flatMap(eventsOfBlock),
    given({ type: "reply-end", stopReason, stopSequence, usage }),
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
        given({ type: "thinking-start", index, id: block.id, vendor: block.vendor }),
        ...(block.text === "" ? [] : [{ type: "thinking-delta" as const, index, text: block.text }]),
        given({ type: "thinking-end", index, signature: block.signature }),
      ];
    case "tool-call": {
      const { id, name, signature, input } = block;
      const freeText = typeof input === "string" ? true : undefined;
      return [
        given({ type: "tool-call-start", index, id, name, signature, freeText }),
        { type: "tool-call-delta", index, json: spellInput(input) },
        { type: "tool-call-end", index },
      ];
    }
    default:
      return [{ type: "block", index, block }];
  }
}
