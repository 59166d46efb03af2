import type {
  ContextEdits,
  Conversation,
  JsonObject,
  JsonValue,
  LonghaulError,
  Message,
  Reply,
  Request,
  StreamEvent,
  Usage,
  WireId,
} from "@longhaul/conversation";
import type { Api, ReasoningFields, Traits } from "./api.ts";
import type { Warning, WireDestination } from "./rules.ts";
import type { ReplyContext, Stepper, Steps, WireEvent } from "./stepper.ts";

/**
 * One wire format, both ways: `decode` reads the wire, `encode` writes it. Readers are tolerant (what they don't know rides along in
 * `native` and `extra`), writers are strict. Bodies are parsed JSON; every function is pure.
 */
export interface Codec {
  readonly id: WireId;
  /** Whose signatures the format carries without a tag. */
  readonly vendor: string;
  /** The field of a request's body that lists its messages. */
  readonly messagesField: string;
  /** Whether system messages that open the list are the system prompt; else the prompt has a field of its own. */
  readonly opensWithSystem: boolean;
  /** How finished answers and errors are recognised by their bytes. */
  readonly markers: ReplyMarkers;
  readonly api: Api;
  readonly reasoning: ReasoningFields;
  readonly traits: Traits;
  /** The edits of its own context that a client may ask for, in formats that have words for them. */
  readonly contextEdits?: ContextEditCodec;
  /** Whether a body asks for usage at the end of its stream. @default always */
  wantsStreamUsage?(body: JsonObject): boolean;
  /** Reads a client's request. */
  decodeRequest(body: unknown, line?: RequestLine): Request;
  /** Reads one entry of `messagesField` on its own: what it gives depends on nothing else in the body. */
  decodeMessage(value: JsonValue): Message;
  /** Writes a request for an upstream, adapted to what the target takes. */
  encodeRequest(request: Request, destination: WireDestination): EncodedRequest;
  /** Does the same in steps: a request with thousands of messages takes long enough for others to notice. */
  encodeSteps(request: Request, destination: WireDestination): Steps<EncodedRequest>;
  /**
   * Writes single messages of a request of this format, changed or new, as entries of `messagesField`. Nothing is adapted to a target: they
   * stand among others that keep their bytes.
   */
  messageWriter(conversation: Conversation, vendor: string): (message: Message) => readonly JsonValue[];
  /** Reads an upstream's whole reply. */
  decodeReply(body: unknown, context?: ReplyContext): Reply;
  /** Writes a whole reply for a client. */
  encodeReply(reply: Reply, context?: ReplyContext): JsonObject;
  /** Reads what a reply, or an event of a stream, reports as its usage; what it does not say counts as nothing. */
  decodeUsage(value: JsonValue | undefined): Usage;
  /** Reads an upstream's stream, event by event. */
  readonly decodeStream: Stepper<WireEvent, StreamEvent>;
  /** Writes a stream for a client. */
  readonly encodeStream: Stepper<StreamEvent, WireEvent>;
  /** Reads an upstream's error. `body` is the parsed body, or its text where that is not JSON. */
  decodeError(status: number, body: unknown): LonghaulError;
  /** Writes an error in the words that clients of this format act upon. */
  encodeError(error: LonghaulError): EncodedError;
}

/**
 * Texts by which the bytes of an answer are recognised without parsing them. They include unescaped quotes or the start of a line, so no
 * sentence of a model contains them. An answer without any of them may still be a valid one: then it is parsed.
 */
export interface ReplyMarkers {
  /** A whole reply has one of these. */
  readonly reply: readonly string[];
  /** The last events of a complete stream have one of these. */
  readonly end: readonly string[];
  /** An error inside a stream has one of these. */
  readonly failure: readonly string[];
}

/** How a client asks for edits of its own context. */
export interface ContextEditCodec {
  /** The field of a body that asks for them. */
  readonly field: string;
  /** Reads them; undefined if there are none. Bad ones throw `request.malformed`. */
  decode(request: Request): ContextEdits | undefined;
  /** Returns the request without them. */
  remove(request: Request): Request;
}

/** What a format says in the address of a request and not in its body (Gemini). */
export interface RequestLine {
  readonly model?: string;
  readonly stream?: boolean;
}

/** A request as it goes out. */
export interface EncodedRequest {
  readonly body: JsonObject;
  /** What the target could not be told as the client said it. */
  readonly warnings: readonly Warning[];
  /** What to undo in the reply before the client sees it. */
  readonly restore: Restore;
}

/** What an encoder changed in a request's tools, so that it can be undone in the reply. */
export interface Restore {
  /** The client's name for a tool, by the name that the upstream was given. */
  readonly toolNames: ReadonlyMap<string, string>;
  /** The tools, by the client's name, that take free text and were given to the upstream with one named argument. */
  readonly freeTextTools: ReadonlySet<string>;
}

/** An error as a client gets it. */
export interface EncodedError {
  readonly status: number;
  readonly body: JsonObject;
}
