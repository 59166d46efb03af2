import {
  type Block,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  LonghaulError,
  MAX_JSON_DEPTH,
  parseJsonText,
  type StreamEvent,
} from "@longhaul/conversation/advanced";
import type { Step } from "../codec/stepper.ts";
import { isShallow } from "../fields/json.ts";

/** Reads an upstream's reply. Throws `upstream.broken` if it lacks the field with its content. */
export function readReplyObject(body: unknown, field: string): JsonObject {
  if (!isJsonObject(body) || (body[field] ?? undefined) === undefined) throw brokenReply(`"${field}" is missing`);
  if (!isShallow(body)) throw brokenReply("it is nested too deeply");
  return body;
}

/** Runs a request decoder on part of a reply. Malformed input is then the upstream's error, not the client's. */
export function withReplyErrors<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof LonghaulError && error.code === "request.malformed") throw brokenReply(error.message, error);
    throw error;
  }
}

/** A stream decoder's state. */
interface Phased {
  readonly phase: "before" | "during" | "after";
}

type DecodeStep<State, In> = (state: State, input: In) => Step<State, StreamEvent>;

/** Ends a stream with an error. */
export function failStream<State extends Phased>(state: State, error: LonghaulError): Step<State, StreamEvent> {
  return [{ ...state, phase: "after" }, [{ type: "error", error }]];
}

/** Runs a step of a stream. If it throws, the stream ends with that error. */
export function stepOrFail<State extends Phased, In>(state: State, input: In, step: DecodeStep<State, In>) {
  try {
    return step(state, input);
  } catch (error) {
    if (error instanceof LonghaulError) return failStream(state, error);
    throw error;
  }
}

/** Parses an event's data and runs a step with it. If either fails, the stream ends with that error. */
export function stepData<State extends Phased>(state: State, data: string, step: DecodeStep<State, JsonObject>) {
  const event = parseEventData(data);
  return event === undefined ? failStream(state, unreadableEvent(data)) : stepOrFail(state, event, step);
}

/** Parses an event's data. Returns undefined if it is not a JSON object or is nested too deeply. */
export function parseEventData(data: string): JsonObject | undefined {
  try {
    const value: unknown = parseJsonText(data);
    // Short text cannot be nested deeply, and most events are short.
    return isJsonObject(value) && (data.length < MAX_JSON_DEPTH || isShallow(value)) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Reads the number or id of a block or item in a stream. A missing one counts as 0. */
export function readKey(value: JsonValue | undefined): string {
  const key = value ?? 0;
  if (typeof key === "number" || typeof key === "string") return `${key}`;
  throw brokenReply(`expected a block's number or id, got ${JSON.stringify(key).slice(0, 100)}`);
}

/** Creates the error for an event that is not a JSON object. Its data goes to the log only, because a proxy may have written it. */
export function unreadableEvent(data: string): LonghaulError {
  return brokenReply("an event is not a JSON object", data.slice(0, 100));
}

/** Creates the error for a stream that ends before its reply. */
export function truncatedStream(): LonghaulError {
  return new LonghaulError("upstream.broken", "the upstream's stream ended before the reply was complete; try again");
}

/** Creates the error for a reply that cannot be decoded. */
export function brokenReply(reason: string, cause?: unknown): LonghaulError {
  return new LonghaulError("upstream.broken", `the upstream's reply is invalid: ${reason}; try again`, { cause });
}

/** Whether a reply calls tools. */
export function hasCalls(blocks: readonly Block[]): boolean {
  return blocks.some(({ type }) => type === "tool-call");
}
