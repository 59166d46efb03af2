import { isJsonObject, type JsonObject, type StreamEvent } from "@longhaul/conversation/advanced";
import { isBlankInput, noArguments } from "../content/tool-input.ts";
import { defined, fieldOf, listIn, nonEmptyString, objectIn, optionalString } from "../fields/json.ts";
import { isServerCall } from "./decode-message.ts";

/** A partially received tool call. */
export interface Call {
  /** The server's index of the call, if it sends one. */
  readonly number: number | undefined;
  readonly id: string;
  readonly name: string;
  readonly freeText: boolean;
  readonly signature?: string;
  /** The number of its block. A call starts when its name is known. */
  readonly index?: number;
  /** Arguments received before the name. */
  readonly early: string;
  /** Whether any arguments were emitted. */
  readonly hasArguments: boolean;
}

/** The calls after a chunk, and its events. */
export interface CallDeltas {
  readonly calls: readonly Call[];
  readonly started: number;
  readonly events: readonly StreamEvent[];
}

/** Returns the non-empty pieces of calls in a delta. */
export function callPieces({ tool_calls, function_call }: JsonObject): readonly Piece[] {
  const old = isJsonObject(function_call) ? [{ index: 0, type: "function", function: function_call }] : [];
  return [...listIn(tool_calls), ...old]
    .filter((value) => !isServerCall(value))
    .map((value) => readPiece(objectIn(value)))
    .filter(({ id, name, text, signature }) => [id, name, text, signature ?? ""].some((text) => text !== ""));
}

/** Adds the pieces of a chunk to their calls. */
export function decodeCallPieces(calls: readonly Call[], started: number, pieces: readonly Piece[]): CallDeltas {
  return pieces.reduce<CallDeltas>(onPiece, { calls, started, events: [] });
}

function onPiece({ calls, started, events }: CallDeltas, piece: Piece): CallDeltas {
  const place = placeOf(calls, piece);
  const known = calls[place] ?? newCall(piece);
  const name = known.name === "" ? piece.name : known.name;
  const id = known.id === "" ? piece.id : known.id;
  const named: Call = { ...known, id, name, ...defined({ signature: piece.signature ?? known.signature }) };
  const starts = named.index === undefined && name !== "";
  const call: Call = starts ? { ...named, index: started, early: "" } : named;
  if (call.index === undefined) {
    const waiting = { ...call, early: call.early + piece.text };
    return { calls: replace(calls, place, waiting), started, events };
  }
  const text = starts ? named.early + piece.text : piece.text;
  const more: StreamEvent[] = starts ? [startOf(call)] : [];
  const hasNew = text !== "" && (call.hasArguments || call.freeText || !isBlankInput(text));
  if (hasNew) more.push({ type: "tool-call-delta", index: call.index, json: text });
  const next = hasNew && !call.hasArguments ? { ...call, hasArguments: true } : call;
  return { calls: replace(calls, place, next), started: started + (starts ? 1 : 0), events: [...events, ...more] };
}

/** The part of a delta for one call. */
interface Piece {
  readonly number: number | undefined;
  readonly id: string;
  readonly name: string;
  readonly text: string;
  readonly freeText: boolean;
  readonly signature: string | undefined;
}

function readPiece(value: JsonObject): Piece {
  const inner = isJsonObject(value.custom) ? value.custom : value.function;
  const input = fieldOf(value.custom, "input") ?? fieldOf(value.function, "arguments");
  return {
    number: typeof value.index === "number" ? value.index : undefined,
    id: optionalString(value.id) ?? "",
    name: optionalString(fieldOf(inner, "name")) ?? "",
    // Some servers send the arguments as an object.
    text: isJsonObject(input) ? JSON.stringify(input) : (optionalString(input) ?? ""),
    freeText: isJsonObject(value.custom),
    signature: nonEmptyString(fieldOf(fieldOf(value.extra_content, "google"), "thought_signature")),
  };
}

/**
 * Returns the index of the call that a piece belongs to. Servers without indexes, or with the same index for all calls, start a call with a
 * new id and a name. A piece without a name continues the latest call, because some servers invent an id for each piece.
 */
function placeOf(calls: readonly Call[], { number, id, name }: Piece): number {
  if (number === undefined) {
    const same = id === "" ? -1 : calls.findIndex((call) => call.id === id);
    if (same !== -1) return same;
    return name === "" ? Math.max(0, calls.length - 1) : calls.length;
  }
  const same = calls.findLastIndex((call) => call.number === number);
  const known = calls[same];
  const isOther = id !== "" && name !== "" && known?.name !== "" && known?.id !== "" && known?.id !== id;
  return same === -1 || isOther ? calls.length : same;
}

function newCall({ number, freeText }: Piece): Call {
  return { number, id: "", name: "", freeText, early: "", hasArguments: false };
}

function replace(calls: readonly Call[], place: number, call: Call): readonly Call[] {
  if (calls[place] === call) return calls;
  const next = [...calls];
  next[place] = call;
  return next;
}

function startOf({ index = 0, id, name, freeText, signature }: Call): StreamEvent {
  // Some servers omit the id, which pairs results with calls.
  return defined({
    type: "tool-call-start",
    index,
    id: id === "" ? `call_${index}` : id,
    name,
    signature,
    freeText: freeText ? true : undefined,
  });
}

export function endCalls(calls: readonly Call[]): readonly StreamEvent[] {
  return calls.flatMap(({ index, hasArguments, freeText }) => {
    if (index === undefined) return [];
    return [...noArguments(index, hasArguments || freeText), { type: "tool-call-end" as const, index }];
  });
}
