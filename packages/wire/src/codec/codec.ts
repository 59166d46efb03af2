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
} from "@longhaul/conversation/advanced";
import type { Api, ReasoningFields, Traits } from "./api.ts";
import type { Warning, WireDestination } from "./rules.ts";
import type { ReplyContext, Stepper, Steps, WireEvent } from "./stepper.ts";

/** The messages of one wire format, with system prompt and tools: the part of a `Codec` that programs without a vendor's API need. */
export interface MessageCodec {
  readonly id: WireId;
  /** The vendor whose signatures the format carries without a tag. */
  readonly vendor: string;
  /** The field of a request body that lists its messages. */
  readonly messagesField: string;
  /** Whether leading system messages form the system prompt. Otherwise the prompt has its own field. */
  readonly opensWithSystem: boolean;
  /** Features of messages that no other format has. */
  readonly own: OwnFeatures;
  /** Decodes messages, system prompt and tools of a client's request, and ignores its other fields. */
  decodeConversation(body: unknown): Conversation;
  /** Decodes one entry of `messagesField`, independently of the rest of the body. */
  decodeMessage(value: JsonValue): Message;
  /**
   * Returns a function that encodes single messages of a request of this format as entries of `messagesField`. Does not adapt them to a
   * destination, because the messages around them keep their bytes.
   */
  messageWriter(conversation: Conversation, vendor: string): (message: Message) => readonly JsonValue[];
}

/**
 * One wire format in both directions: `decode` reads the wire, `encode` writes it. Decoders are tolerant and keep unknown content in
 * `native` and `extra`; encoders are strict. Bodies are parsed JSON, and every function is pure.
 */
export interface Codec extends MessageCodec {
  /** Strings that identify complete replies and errors without parsing. */
  readonly markers: ReplyMarkers;
  readonly api: Api;
  readonly reasoning: ReasoningFields;
  readonly traits: Traits;
  /** Reads context edits, in formats that have them. */
  readonly contextEdits?: ContextEditCodec;
  /** Whether a body requests usage at the end of its stream. @default always */
  wantsStreamUsage?(body: JsonObject): boolean;
  /** Decodes a client's request. */
  decodeRequest(body: unknown, line?: RequestLine): Request;
  /** Like `decodeRequest`, but pauses between steps. */
  decodeSteps(body: unknown, line?: RequestLine): Steps<Request>;
  /** Encodes a request for an upstream and adapts it to what the destination accepts. */
  encodeRequest(request: Request, destination: WireDestination): EncodedRequest;
  /** Like `encodeRequest`, but pauses between steps: a request with thousands of messages would block the thread noticeably. */
  encodeSteps(request: Request, destination: WireDestination): Steps<EncodedRequest>;
  /** Decodes an upstream's complete reply. */
  decodeReply(body: unknown, context?: ReplyContext): Reply;
  /** Encodes a complete reply for a client. */
  encodeReply(reply: Reply, context?: ReplyContext): JsonObject;
  /** Decodes the usage of a reply or a stream event. Missing figures count as 0. */
  decodeUsage(value: JsonValue | undefined): Usage;
  /** Decodes an upstream's stream, event by event. */
  readonly decodeStream: Stepper<WireEvent, StreamEvent>;
  /** Encodes a stream for a client. */
  readonly encodeStream: Stepper<StreamEvent, WireEvent>;
  /** Decodes an upstream's error. `body` is the parsed body, or its text if that is not JSON. */
  decodeError(status: number, body: unknown): LonghaulError;
  /** Encodes an error with the types, codes and phrases that clients of this format react to. */
  encodeError(error: LonghaulError): EncodedError;
}

/** Features of an entry of `messagesField` that identify its format. Each list may be absent. */
export interface OwnFeatures {
  readonly fields?: readonly string[];
  readonly roles?: readonly string[];
  /** Types of entries. */
  readonly types?: readonly string[];
  /** Types of the parts in an entry's `content`. */
  readonly parts?: readonly string[];
}

/**
 * Strings that identify a response without parsing it. They contain unescaped quotes or the start of a line, so model output inside a JSON
 * string never matches. A response without any of them may still be valid and must be parsed.
 */
export interface ReplyMarkers {
  /** A complete reply contains one of these. */
  readonly reply: readonly string[];
  /** The last events of a complete stream contain one of these. */
  readonly end: readonly string[];
  /** An error inside a stream contains one of these. */
  readonly failure: readonly string[];
}

/** Reads the context edits that a client requests. */
export interface ContextEditCodec {
  /** The field of a body that requests them. */
  readonly field: string;
  /** Returns undefined if the request has none. Throws `request.malformed` for invalid edits. */
  decode(request: Request): ContextEdits | undefined;
  /** Returns the request without its context edits. */
  remove(request: Request): Request;
}

/** Request settings that a format puts in the URL, not in the body (Gemini). */
export interface RequestLine {
  readonly model?: string;
  readonly stream?: boolean;
}

/** An encoded request. */
export interface EncodedRequest {
  readonly body: JsonObject;
  /** Settings and content that were dropped or changed for the destination. */
  readonly warnings: readonly Warning[];
  /** Changes to undo in the reply before the client sees it. */
  readonly restore: Restore;
}

/** Changes that an encoder made to a request's tools, to undo in the reply. */
export interface Restore {
  /** The client's tool name by the name sent upstream. */
  readonly toolNames: ReadonlyMap<string, string>;
  /** Client names of free-text tools that were sent upstream with one named argument. */
  readonly freeTextTools: ReadonlySet<string>;
}

/** An error in a client's format. */
export interface EncodedError {
  readonly status: number;
  readonly body: JsonObject;
}
