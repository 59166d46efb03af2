import {
  type Block,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type StreamEvent,
} from "@longhaul/conversation/advanced";
import { readSignature, type Signed } from "../content/signature.ts";
import { noArguments, parseInput } from "../content/tool-input.ts";
import { defined, optionalString } from "../fields/json.ts";
import { withReplyErrors } from "../reply/read-reply.ts";
import { decodeBlock } from "./decode-message.ts";
import { WIRE } from "./rules.ts";

/** A partially received block. */
export interface OpenBlock {
  readonly index: number;
  readonly kind: "text" | "thinking" | "tool-call" | "whole";
  /** The `content_block` of its start event. */
  readonly start: JsonObject;
  /** Arguments received so far. For a tool call, only the first piece, which shows that there are any. */
  readonly json: string;
  readonly signature?: string;
}

export function openBlock(index: number, start: JsonObject): OpenBlock {
  return { index, kind: kindOf(start.type), start, json: "" };
}

function kindOf(type: JsonValue | undefined): OpenBlock["kind"] {
  if (type === "text" || type === "thinking") return type;
  return type === "tool_use" ? "tool-call" : "whole";
}

/** Returns the events for the start of a block. */
export function startBlock({ index, kind, start }: OpenBlock, vendor: string): readonly StreamEvent[] {
  switch (kind) {
    case "text":
      return [{ type: "text-start", index }, ...textDelta(index, start.text)];
    case "thinking":
      return [{ type: "thinking-start", index, vendor }, ...thinkingDelta(index, start.thinking)];
    case "tool-call":
      return [callStart(index, start)];
    case "whole":
      return [];
    default:
      return kind satisfies never;
  }
}

function callStart(index: number, start: JsonObject): StreamEvent {
  const id = optionalString(start.id) ?? "";
  const name = optionalString(start.name) ?? "";
  return { type: "tool-call-start", index, id, name, native: { wire: WIRE, value: start } };
}

export function textDelta(index: number, text: JsonValue | undefined): readonly StreamEvent[] {
  return typeof text === "string" && text !== "" ? [{ type: "text-delta", index, text }] : [];
}

export function thinkingDelta(index: number, text: JsonValue | undefined): readonly StreamEvent[] {
  return typeof text === "string" && text !== "" ? [{ type: "thinking-delta", index, text }] : [];
}

export function callDelta({ index }: OpenBlock, json: string): StreamEvent {
  return { type: "tool-call-delta", index, json };
}

/** Returns the events for the end of a block. */
export function endBlock(block: OpenBlock, vendor: string): readonly StreamEvent[] {
  const { index, kind, signature, start, json } = block;
  switch (kind) {
    case "text":
      return [{ type: "text-end", index }];
    case "thinking":
      return [{ type: "thinking-end", index, ...signedBy(signature ?? optionalString(start.signature), vendor) }];
    case "tool-call":
      return [...wholeInput(block), { type: "tool-call-end", index }];
    case "whole": {
      const value = json === "" ? start : { ...start, input: parseInput(json) };
      const whole: Block = withReplyErrors(() => decodeBlock(value, "content_block", vendor));
      return [{ type: "block", index, block: whole }];
    }
    default:
      return kind satisfies never;
  }
}

/** Decodes a signature. The vendor is included only if it differs from the one given at the start. */
function signedBy(text: string | undefined, vendor: string): Signed {
  const signed = readSignature(text, vendor);
  return signed.vendor === vendor ? defined({ signature: signed.signature }) : signed;
}

/** Returns a delta for arguments that the server sent with the start instead of in deltas. */
function wholeInput({ index, start, json }: OpenBlock): readonly StreamEvent[] {
  const isGiven = json === "" && isJsonObject(start.input) && Object.keys(start.input).length > 0;
  if (isGiven) return [{ type: "tool-call-delta", index, json: JSON.stringify(start.input) }];
  return noArguments(index, json !== "");
}
