import type { JsonObject, JsonValue, StreamEvent } from "@longhaul/conversation/advanced";
import { type Step, stepEach } from "../codec/stepper.ts";
import type { Signed } from "../content/signature.ts";
import { isBlankInput, noArguments } from "../content/tool-input.ts";
import { defined, fieldOf, nonEmptyString, optionalString } from "../fields/json.ts";
import { readKey } from "../reply/read-reply.ts";
import { calledName } from "./rules.ts";

/** The blocks of a partially received reply. */
export interface Blocks {
  readonly vendor: string;
  /** Open blocks by item key, or by part key for texts. */
  readonly open: ReadonlyMap<string, OpenBlock>;
  /** Number of started blocks. */
  readonly started: number;
  /** Keys of items with at least one started block. */
  readonly startedItems: ReadonlySet<string>;
  /** Whether any block is a tool call. */
  readonly calls: boolean;
}

interface OpenBlock {
  readonly index: number;
  readonly kind: "text" | "thinking" | "tool-call";
  readonly freeText: boolean;
  readonly hasText: boolean;
  /** Index of the latest summary part. */
  readonly piece: JsonValue;
}

export function noBlocks(vendor: string): Blocks {
  return { vendor, open: new Map(), started: 0, startedItems: new Set(), calls: false };
}

/** A block to open. */
export interface Opening {
  readonly kind: OpenBlock["kind"];
  readonly item?: JsonObject;
}

/** Returns the key of an item: its index, because some servers change ids during a stream, or else its id. */
export function itemKey({ output_index, item_id, item }: JsonObject): string {
  return readKey(output_index ?? item_id ?? fieldOf(item, "id"));
}

export function partKey(event: JsonObject): string {
  return `${itemKey(event)}/${readKey(event.content_index)}`;
}

/** Opens a block unless it is already open. */
export function openBlock<S extends Blocks>(state: S, key: string, { kind, item = {} }: Opening): Step<S, StreamEvent> {
  if (state.open.has(key)) return [state, []];
  const index = state.started;
  const freeText = item.type === "custom_tool_call";
  const open = new Map(state.open).set(key, { index, kind, freeText, hasText: false, piece: 0 });
  const [itemKey = key] = key.split("/");
  const startedItems = new Set(state.startedItems).add(itemKey);
  const next = { ...state, open, startedItems, started: index + 1, calls: state.calls || kind === "tool-call" };
  return [next, [startOf(state.vendor, index, { kind, item })]];
}

function startOf(vendor: string, index: number, { kind, item = {} }: Opening): StreamEvent {
  if (kind === "text") return { type: "text-start", index };
  if (kind === "thinking") return defined({ type: "thinking-start", index, id: optionalString(item.id), vendor });
  const id = nonEmptyString(item.call_id) ?? nonEmptyString(item.id) ?? "";
  const freeText = item.type === "custom_tool_call" ? true : undefined;
  const name = calledName(optionalString(item.name) ?? "", item.namespace);
  return defined({ type: "tool-call-start", index, id, name, freeText });
}

/** Adds text to an open block. */
export function addText<S extends Blocks>(state: S, key: string, text: string): Step<S, StreamEvent> {
  return addPiece(state, key, { text, piece: 0 });
}

/** Adds text to an open block that has numbered parts. */
export function addPiece<S extends Blocks>(
  state: S,
  key: string,
  { text, piece }: { readonly text: string; readonly piece: JsonValue },
): Step<S, StreamEvent> {
  const block = state.open.get(key);
  if (block === undefined || text === "") return [state, []];
  if (takesJson(block) && !block.hasText && isBlankInput(text)) return [state, []];
  const isSame = block.hasText && block.piece === piece;
  const next = isSame ? state : { ...state, open: new Map(state.open).set(key, { ...block, hasText: true, piece }) };
  return [next, [deltaOf(block, text)]];
}

function deltaOf({ index, kind }: OpenBlock, text: string): StreamEvent {
  if (kind === "text") return { type: "text-delta", index, text };
  return kind === "thinking" ? { type: "thinking-delta", index, text } : { type: "tool-call-delta", index, json: text };
}

/** Ends an open block. */
export function closeBlock<S extends Blocks>(state: S, key: string, signed: Signed = {}): Step<S, StreamEvent> {
  const block = state.open.get(key);
  if (block === undefined) return [state, []];
  const open = new Map(state.open);
  open.delete(key);
  return [{ ...state, open }, [...noArguments(block.index, block.hasText || !takesJson(block)), endOf(block, signed)]];
}

function takesJson({ kind, freeText }: OpenBlock): boolean {
  return kind === "tool-call" && !freeText;
}

function endOf({ index, kind }: OpenBlock, signed: Signed): StreamEvent {
  if (kind === "text") return { type: "text-end", index };
  return kind === "thinking" ? { type: "thinking-end", index, ...signed } : { type: "tool-call-end", index };
}

/** Runs steps in order and collects their output. */
export function chain<S, Out>(state: S, ...steps: readonly ((state: S) => Step<S, Out>)[]): Step<S, Out> {
  return stepEach(state, steps, (next, step) => step(next));
}
