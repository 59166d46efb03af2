import {
  type Block,
  isJsonArray,
  isJsonObject,
  type JsonValue,
  type Reply,
  type StreamEvent,
} from "@longhaul/conversation/advanced";
import { withoutNative } from "../edits/text-position.ts";
import {
  closeFilter,
  filterText,
  finishFilter,
  type KnownReferences,
  openFilter,
  type ReferenceFilter,
} from "./known-references.ts";

/** State of reading a streamed reply. */
export interface ReplyState {
  /** The texts and arguments in progress, by block index. */
  readonly filters: ReadonlyMap<number, ReferenceFilter>;
  /** Number of references expanded so far. */
  readonly expansions: number;
}

/** The next state, and the events for the client. */
export type ReplyStep = readonly [ReplyState, readonly StreamEvent[]];

/** Expands the references in a streamed reply. Pure: a state may be stepped from more than once. */
export interface ReplyExpander {
  start(): ReplyState;
  step(state: ReplyState, event: StreamEvent): ReplyStep;
  /** Returns the remaining events when the stream has ended. */
  end(state: ReplyState): readonly StreamEvent[];
}

/**
 * Expands every reference that a model copies into its text, or that is a whole value of its tools' arguments, before the client sees it. It
 * holds back only as many characters of the stream as may be the start of a reference.
 */
export function expandReplyStream(references: KnownReferences): ReplyExpander {
  return {
    start: () => ({ filters: new Map(), expansions: 0 }),
    step: (state, event) => stepReply(state, event, references),
    end: heldBack,
  };
}

function stepReply(state: ReplyState, event: StreamEvent, references: KnownReferences): ReplyStep {
  switch (event.type) {
    case "text-start":
      return [withFilter(state, event.index, openFilter("text")), [event]];
    case "tool-call-start":
      return [withFilter(state, event.index, openFilter(event.freeText === true ? "free-text" : "json")), [event]];
    case "text-delta":
      return onDelta(state, event.index, { text: event.text, references });
    case "tool-call-delta":
      return onDelta(state, event.index, { text: event.json, references });
    case "text-end":
    case "tool-call-end":
      return onEnd(state, event, references);
    case "reply-end":
    case "error":
      return [{ ...state, filters: new Map() }, [...heldBack(state), event]];
    default:
      return [state, [event]];
  }
}

interface Delta {
  readonly text: string;
  readonly references: KnownReferences;
}

function onDelta(state: ReplyState, index: number, { text, references }: Delta): ReplyStep {
  const open = state.filters.get(index) ?? openFilter("text");
  const { filter, text: out, expansions } = filterText(open, text, references);
  const next = withFilter(state, index, filter);
  return [{ ...next, expansions: state.expansions + expansions }, deltas(index, filter, out)];
}

type EndEvent = Extract<StreamEvent, { type: "text-end" | "tool-call-end" }>;

function onEnd(state: ReplyState, event: EndEvent, references: KnownReferences): ReplyStep {
  const filter = state.filters.get(event.index);
  if (filter === undefined) return [state, [event]];
  const filters = new Map(state.filters);
  filters.delete(event.index);
  const { text, expansions } = finishFilter(filter, references);
  const next = { filters, expansions: state.expansions + expansions };
  return [next, [...deltas(event.index, filter, text), event]];
}

function heldBack({ filters }: ReplyState): StreamEvent[] {
  return [...filters].flatMap(([index, filter]) => deltas(index, filter, closeFilter(filter)));
}

function withFilter(state: ReplyState, index: number, filter: ReferenceFilter): ReplyState {
  return { ...state, filters: new Map(state.filters).set(index, filter) };
}

function deltas(index: number, { kind }: ReferenceFilter, text: string): StreamEvent[] {
  if (text === "") return [];
  return kind === "text" ? [{ type: "text-delta", index, text }] : [{ type: "tool-call-delta", index, json: text }];
}

/** A reply with its references expanded, and their number. */
export interface ExpandedReply {
  readonly reply: Reply;
  readonly expansions: number;
}

/** Expands the references in a complete reply. A reply without references is the identical object. */
export function expandReply(reply: Reply, references: KnownReferences): ExpandedReply {
  let expansions = 0;
  const expandText = (text: string): string => {
    const { text: out, filter, expansions: more } = filterText(openFilter("text"), text, references);
    expansions += more;
    return more === 0 ? text : out + closeFilter(filter);
  };
  const expandWhole = (value: string): string => {
    const expanded = references.expand(value);
    expansions += expanded === undefined ? 0 : 1;
    return expanded ?? value;
  };
  const blocks = reply.blocks.map((block) => expandBlock(block, expandText, expandWhole));
  return expansions === 0 ? { reply, expansions } : { reply: withoutNative({ ...reply, blocks }), expansions };
}

type Expand = (text: string) => string;

function expandBlock(block: Block, expandText: Expand, expandWhole: Expand): Block {
  if (block.type === "text") {
    const text = expandText(block.text);
    return text === block.text ? block : withoutNative({ ...block, text });
  }
  if (block.type !== "tool-call") return block;
  const input = expandValue(block.input, expandWhole);
  return input === block.input ? block : withoutNative({ ...block, input });
}

/** Expands the strings in a value; returns the identical value if none changes. */
function expandValue(value: JsonValue, expandText: (text: string) => string): JsonValue {
  if (typeof value === "string") return expandText(value);
  if (isJsonArray(value)) {
    const entries = value.map((entry) => expandValue(entry, expandText));
    return entries.every((entry, index) => entry === value[index]) ? value : entries;
  }
  if (!isJsonObject(value)) return value;
  const fields = Object.entries(value).map(([key, entry]) => [key, expandValue(entry, expandText)] as const);
  return fields.every(([key, entry]) => entry === value[key]) ? value : Object.fromEntries(fields);
}
