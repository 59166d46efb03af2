import type { Block, JsonValue, Reply, StreamEvent } from "@longhaul/conversation/advanced";
import type { Restore } from "../codec/codec.ts";
import type { EventOf, Step, Stepper } from "../codec/stepper.ts";
import { FREE_TEXT_FIELD, freeText, parseInput } from "../content/tool-input.ts";
import { withoutNative } from "../fields/json.ts";

/** The `Restore` of a request whose tools were not changed. */
export const NOTHING_TO_RESTORE: Restore = { toolNames: new Map(), freeTextTools: new Set() };

/** Undoes the request encoder's changes to tools in a complete reply. */
export function restoreReply(reply: Reply, restore: Restore): Reply {
  if (restoresNothing(restore)) return reply;
  const blocks = reply.blocks.map((block) => restoreBlock(block, restore));
  if (blocks.every((block, index) => block === reply.blocks[index])) return reply;
  return { ...withoutNative(reply), blocks };
}

function restoreBlock(block: Block, { toolNames, freeTextTools }: Restore): Block {
  if (block.type !== "tool-call") return block;
  const name = toolNames.get(block.name) ?? block.name;
  if (name === block.name && !freeTextTools.has(name)) return block;
  const { native: _, ...rest } = block;
  const input: JsonValue = freeTextTools.has(name) ? freeText(block.input) : block.input;
  return { ...rest, name, input };
}

/** Whether the encoder left the request's tools unchanged. */
export function restoresNothing({ toolNames, freeTextTools }: Restore): boolean {
  return toolNames.size === 0 && freeTextTools.size === 0;
}

/** The arguments received so far for calls with wrapped free text, by block. */
type Wrapped = ReadonlyMap<number, string>;

/** Undoes the request encoder's changes to tools in a stream. Free text is sent in one delta when its call ends. */
export function restoreStream(restore: Restore): Stepper<StreamEvent, StreamEvent, Wrapped> {
  return {
    start: () => new Map(),
    step: (wrapped, event) => restoreEvent(restore, wrapped, event),
    end: () => [],
  };
}

function restoreEvent(restore: Restore, wrapped: Wrapped, event: StreamEvent): Step<Wrapped, StreamEvent> {
  if (event.type === "tool-call-start") return restoreStart(restore, wrapped, event);
  if (event.type !== "tool-call-delta" && event.type !== "tool-call-end") return [wrapped, [event]];
  const before = wrapped.get(event.index);
  if (before === undefined) return [wrapped, [event]];
  if (event.type === "tool-call-delta") return [new Map(wrapped).set(event.index, before + event.json), []];
  const text = freeText(parseInput(before));
  return [without(wrapped, event.index), [{ type: "tool-call-delta", index: event.index, json: text }, event]];
}

function restoreStart(
  restore: Restore,
  wrapped: Wrapped,
  event: EventOf<"tool-call-start">,
): Step<Wrapped, StreamEvent> {
  const name = restore.toolNames.get(event.name) ?? event.name;
  const isFreeText = restore.freeTextTools.has(name);
  if (name === event.name && !isFreeText) return [wrapped, [event]];
  const { native: _, ...rest } = event;
  if (!isFreeText) return [wrapped, [{ ...rest, name }]];
  return [new Map(wrapped).set(event.index, ""), [{ ...rest, name, freeText: true }]];
}

function without(wrapped: Wrapped, index: number): Wrapped {
  const rest = new Map(wrapped);
  rest.delete(index);
  return rest;
}

/** The input schema of a free-text tool in formats that only have named arguments. */
export const FREE_TEXT_SCHEMA = {
  type: "object",
  properties: { [FREE_TEXT_FIELD]: { type: "string", description: "The whole input of the tool, as plain text." } },
  required: [FREE_TEXT_FIELD],
} as const;
