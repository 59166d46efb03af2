import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, type StreamEvent } from "@longhaul/conversation";
import { given } from "../given.ts";
import { fieldOf, optionalString } from "../read.ts";

/** A tool call that is arriving. */
export interface Call {
  /** The server's number for it, where it has one. */
  readonly number: number | undefined;
  readonly id: string;
  readonly name: string;
  readonly freeText: boolean;
  readonly signature?: string;
  /** The number of its block, once it has started: a call starts when its name is known. */
  readonly index?: number;
  /** Arguments that came before the name. */
  readonly early: string;
}

/** What a chunk says of calls. */
export interface CallDeltas {
  readonly calls: readonly Call[];
  readonly started: number;
  readonly events: readonly StreamEvent[];
}

/** Reads the pieces of calls in a chunk. */
export function decodeCallDeltas(calls: readonly Call[], started: number, delta: JsonObject): CallDeltas {
  const pieces = delta.tool_calls !== undefined && isJsonArray(delta.tool_calls) ? delta.tool_calls : [];
  const old = isJsonObject(delta.function_call) ? [{ index: 0, type: "function", function: delta.function_call }] : [];
  return [...pieces, ...old].reduce<CallDeltas>(onPiece, { calls, started, events: [] });
}

function onPiece({ calls, started, events }: CallDeltas, value: JsonValue): CallDeltas {
  if (!isJsonObject(value)) return { calls, started, events };
  const piece = readPiece(value);
  const place = placeOf(calls, piece);
  const known = calls[place] ?? newCall(piece);
  const name = known.name === "" ? piece.name : known.name;
  const id = known.id === "" ? piece.id : known.id;
  const named: Call = { ...known, id, name, ...given({ signature: piece.signature ?? known.signature }) };
  const starts = named.index === undefined && name !== "";
  const call: Call = starts ? { ...named, index: started, early: "" } : named;
  if (call.index === undefined) {
    const waiting = { ...call, early: call.early + piece.text };
    return { calls: replace(calls, place, waiting), started, events };
  }
  const text = starts ? named.early + piece.text : piece.text;
  const said: StreamEvent[] = starts ? [startOf(call)] : [];
  if (text !== "") said.push({ type: "tool-call-delta", index: call.index, json: text });
  return { calls: replace(calls, place, call), started: started + (starts ? 1 : 0), events: [...events, ...said] };
}

interface Piece {
  readonly number: number | undefined;
  readonly id: string;
  readonly name: string;
  readonly text: string;
  readonly freeText: boolean;
  readonly signature: string | undefined;
}

function readPiece(value: JsonObject): Piece {
  const inner = value.custom ?? value.function;
  const input = fieldOf(value.custom, "input") ?? fieldOf(value.function, "arguments");
  return {
    number: typeof value.index === "number" ? value.index : undefined,
    id: optionalString(value.id) ?? "",
    name: optionalString(fieldOf(inner, "name")) ?? "",
    // Some servers give the arguments as the object that they are.
    text: isJsonObject(input) ? JSON.stringify(input) : (optionalString(input) ?? ""),
    freeText: isJsonObject(value.custom),
    signature: optionalString(fieldOf(fieldOf(value.extra_content, "google"), "thought_signature")),
  };
}

/**
 * Which call a piece belongs to. Servers that give no numbers, or the same number to all, start a call with a new id; a piece without an
 * id goes on with the latest call.
 */
function placeOf(calls: readonly Call[], { number, id, name }: Piece): number {
  if (number === undefined) {
    if (id === "" && name === "") return Math.max(0, calls.length - 1);
    const same = id === "" ? -1 : calls.findIndex((call) => call.id === id);
    return same === -1 ? calls.length : same;
  }
  const same = calls.findLastIndex((call) => call.number === number);
  const isOther = id !== "" && calls[same]?.id !== "" && calls[same]?.id !== id;
  return same === -1 || isOther ? calls.length : same;
}

function newCall({ number, freeText }: Piece): Call {
  return { number, id: "", name: "", freeText, early: "" };
}

function replace(calls: readonly Call[], place: number, call: Call): readonly Call[] {
  if (calls[place] === call) return calls;
  const next = [...calls];
  next[place] = call;
  return next;
}

function startOf({ index = 0, id, name, freeText, signature }: Call): StreamEvent {
  // Some servers leave the id out; results are joined to calls by it.
  return given({
    type: "tool-call-start",
    index,
    id: id === "" ? `call_${index}` : id,
    name,
    signature,
    freeText: freeText ? true : undefined,
  });
}

/** Ends all calls. */
export function endCalls(calls: readonly Call[]): readonly StreamEvent[] {
  return calls.flatMap(({ index }) => (index === undefined ? [] : [{ type: "tool-call-end" as const, index }]));
}
