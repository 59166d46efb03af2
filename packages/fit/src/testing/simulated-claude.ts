import type { JsonObject, LonghaulError, Message, Reply, Request, StreamEvent } from "@longhaul/conversation/advanced";
import { codecOf, collectReply, sseReader, type WireDestination } from "@longhaul/wire";

const codec = codecOf("anthropic-messages");

/** How a request is sent to the Messages API. */
export interface SentAs {
  readonly model?: string;
  /** Further fields of the body. */
  readonly fields?: JsonObject;
  readonly betas?: readonly string[];
  readonly isStream?: boolean;
  /** Facts about the model for the encoder. */
  readonly destination?: Partial<WireDestination>;
}

/** The result: a reply with its events, or an error. */
export interface ClaudeAnswer {
  readonly status: number;
  /** The sent body. */
  readonly sent: JsonObject;
  readonly reply: Reply;
  readonly events: readonly StreamEvent[];
  readonly error?: LonghaulError;
}

/** A request with these messages. */
export function makeRequest(messages: readonly Message[], fields: Partial<Request> = {}): Request {
  return {
    model: "claude-opus-4-6",
    stream: false,
    sampling: {},
    maxOutputTokens: 4_000,
    conversation: { system: [], tools: [], messages },
    ...fields,
  };
}

/** Encodes a request for the Messages API, sends it to a simulator, and reads the answer. */
export async function askClaude(url: string, request: Request, sentAs: SentAs = {}): Promise<ClaudeAnswer> {
  const { model = request.model, fields = {}, betas = [], isStream = false, destination = {} } = sentAs;
  const { body } = codec.encodeRequest({ ...request, model }, { model, prefill: false, ...destination });
  const sent = { ...body, stream: isStream, ...fields };
  const response = await fetch(`${url}/v1/messages`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-api-key": "k",
      "anthropic-version": "2023-06-01",
      ...(betas.length > 0 && { "anthropic-beta": betas.join(",") }),
    },
    body: JSON.stringify(sent),
  });
  const text = await response.text();
  if (response.status >= 400) {
    const error = codec.decodeError(response.status, JSON.parse(text));
    return { status: response.status, sent, error, events: [], reply: NO_REPLY };
  }
  if (!isStream) return { status: 200, sent, events: [], reply: codec.decodeReply(JSON.parse(text)) };
  const events = eventsIn(text);
  return { status: 200, sent, events, reply: collectReply(events) };
}

function eventsIn(text: string): StreamEvent[] {
  const [, wireEvents] = sseReader.step(sseReader.start(), Buffer.from(text));
  let state = codec.decodeStream.start();
  const events = wireEvents.flatMap((event) => {
    const [next, found] = codec.decodeStream.step(state, event);
    state = next;
    return found;
  });
  return [...events, ...codec.decodeStream.end(state)];
}

const NO_REPLY = codec.decodeReply({ id: "", type: "message", content: [], model: "" });

/** A text of about so many tokens. */
export function makeLongText(tokens: number): string {
  return Array.from({ length: Math.ceil(tokens / 3) }, (_, index) => `entry ${index % 1_000};`).join(" ");
}
