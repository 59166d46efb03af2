import type { Reply, StreamEvent } from "../core/api.ts";
import { encodeFrame } from "./aws-frame.ts";

/** An answer as it goes over the wire. */
export interface EncodedReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** One for each event; a plain answer has one. */
  readonly chunks: readonly Uint8Array[];
}

/** Turns an answer into status, headers and bytes. */
export function encodeReply(reply: Reply): EncodedReply {
  if (reply.kind === "stream") return encodeStream(reply);
  const { status, headers, body } = reply;
  const bytes = Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
  return {
    status,
    headers: { "content-type": "application/json", ...headers, "content-length": `${bytes.length}` },
    chunks: [bytes],
  };
}

const CONTENT_TYPES = {
  sse: "text/event-stream; charset=utf-8",
  aws: "application/vnd.amazon.eventstream",
  list: "application/json; charset=UTF-8",
} as const;

function encodeStream({ headers, events, framing }: Extract<Reply, { kind: "stream" }>): EncodedReply {
  const chunks = framing === "sse" ? events.map((event) => Buffer.from(writeSse(event))) : encodeData(events, framing);
  return {
    status: 200,
    headers: { "content-type": CONTENT_TYPES[framing], "cache-control": "no-cache", ...headers },
    chunks,
  };
}

/** Neither frames nor lists have comments. */
function encodeData(events: readonly StreamEvent[], framing: "aws" | "list"): readonly Uint8Array[] {
  const said = events.filter(({ data }) => data !== undefined);
  if (framing === "aws") return said.map(encodeFrame);
  const last = said.length - 1;
  return said.map(({ data }, at) => Buffer.from(`${at === 0 ? "[" : ",\r\n"}${data}${at === last ? "]" : ""}`));
}

/** One server-sent event. */
export function writeSse({ event, data, comment }: StreamEvent): string {
  const lines = [
    ...(comment === undefined ? [] : [`: ${comment}`]),
    ...(event === undefined ? [] : [`event: ${event}`]),
    ...(data === undefined ? [] : data.split("\n").map((line) => `data: ${line}`)),
  ];
  return `${lines.join("\n")}\n\n`;
}
