import type { JsonObject } from "@longhaul/conversation";
import { type Reply, type Script, type Step, UNKNOWN_BLOCK } from "./script.ts";

/** Items of the Responses format. They start with a system message, which identifies the format in a session without tools. */
export function writeOpenaiResponses(script: Script): JsonObject[] {
  return [{ type: "message", role: "developer", content: "Be brief." }, ...script.flatMap(writeItems)];
}

function writeItems(step: Step): JsonObject[] {
  if (step.kind === "user") return [message("user", { type: "input_text", text: step.text })];
  if (step.kind === "results")
    return step.results.map(({ callId, text }) => ({
      type: "function_call_output",
      call_id: callId,
      output: [{ type: "input_text", text }],
    }));
  const calls = step.calls.map(({ id, name, input }) => ({
    type: "function_call",
    call_id: id,
    name,
    arguments: JSON.stringify(input),
  }));
  const unknown = step.hasUnknownBlock ? [UNKNOWN_BLOCK] : [];
  return [message("assistant", { type: "output_text", text: step.text }, ...unknown), ...calls];
}

function message(role: string, ...content: readonly JsonObject[]): JsonObject {
  return { type: "message", role, content };
}

const TIMESTAMP = "2026-01-02T03:04:05.000Z";

/** A Codex log: items in envelopes, and a usage report after each reply. */
export function writeCodex(script: Script): JsonObject[] {
  let totalTokens = 0;
  const lines = script.flatMap((step) => {
    const items = writeItems(step).map((payload) => envelope("response_item", payload));
    if (step.kind !== "reply") return items;
    totalTokens += 1 + step.usage.outputTokens;
    return [...items, ...twice(envelope("event_msg", reportOf(step, totalTokens)))];
  });
  return [
    envelope("session_meta", { id: "s1", cwd: "/project", base_instructions: { text: "Be brief." } }),
    envelope("turn_context", { cwd: "/project", model: "gpt-5-codex" }),
    ...lines,
  ];
}

/** Codex repeats the report whenever a rate limit changes. */
function twice<T>(value: T): T[] {
  return [value, value];
}

/** A Codex log of the first versions: bare items without usage. */
export function writeBareCodex(script: Script): JsonObject[] {
  return [{ id: "s1", timestamp: TIMESTAMP, instructions: "Be brief." }, ...script.flatMap(writeItems)];
}

function envelope(type: string, payload: JsonObject): JsonObject {
  return { timestamp: TIMESTAMP, type, payload };
}

function reportOf({ usage }: Reply, totalTokens: number): JsonObject {
  const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens } = usage;
  return {
    type: "token_count",
    info: {
      total_token_usage: { total_tokens: totalTokens },
      last_token_usage: {
        input_tokens: inputTokens + cacheReadTokens + cacheWriteTokens,
        cached_input_tokens: cacheReadTokens,
        cache_write_input_tokens: cacheWriteTokens,
        output_tokens: outputTokens,
      },
    },
  };
}

/** The unknown block as a Gemini part. */
export const UNKNOWN_PART = { hologram: { depth: 3 } };

export function writeGemini(script: Script): JsonObject[] {
  return script.map((step) => {
    if (step.kind === "user") return { role: "user", parts: [{ text: step.text }] };
    if (step.kind === "results")
      return { role: "user", parts: step.results.map(({ callId, text }) => responsePart(callId, text)) };
    return { role: "model", parts: replyParts(step) };
  });
}

function replyParts({ text, calls, hasUnknownBlock }: Reply): JsonObject[] {
  const unknown = hasUnknownBlock ? [UNKNOWN_PART] : [];
  return [{ text }, ...unknown, ...calls.map(({ id, name, input }) => ({ functionCall: { id, name, args: input } }))];
}

function responsePart(id: string, text: string): JsonObject {
  return { functionResponse: { id, name: "read", response: { output: text } } };
}

const SESSION = { sessionId: "s1", projectHash: "p1", startTime: TIMESTAMP, lastUpdated: TIMESTAMP, kind: "main" };

/** The messages of a Gemini CLI session. Tool results are stored with the reply that called them. */
export function writeGeminiCliMessages(script: Script): JsonObject[] {
  return script.flatMap((step, index) => {
    const about = { id: `m${index}`, timestamp: TIMESTAMP };
    if (step.kind === "user") return [{ ...about, type: "user", content: [{ text: step.text }] }];
    if (step.kind === "results") return [];
    return [{ ...about, type: "gemini", ...writeGeminiCliReply(step, script[index + 1]) }];
  });
}

function writeGeminiCliReply(reply: Reply, next: Step | undefined): JsonObject {
  const results = next?.kind === "results" ? next.results : [];
  const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens } = reply.usage;
  return {
    content: [{ text: reply.text }, ...(reply.hasUnknownBlock ? [UNKNOWN_PART] : [])],
    toolCalls: reply.calls.map(({ id, name, input }) => {
      const answer = results.find(({ callId }) => callId === id);
      return {
        id,
        name,
        args: input,
        status: "success",
        result: answer === undefined ? null : [responsePart(id, answer.text)],
      };
    }),
    tokens: {
      input: inputTokens + cacheReadTokens + cacheWriteTokens,
      cached: cacheReadTokens,
      output: outputTokens,
    },
    model: "gemini-3-pro-preview",
  };
}

/** The document of an older Gemini CLI log around its messages. */
export function wrapGeminiCli(list: string): string {
  return `${JSON.stringify(SESSION).slice(0, -1)},"messages":${list}}`;
}

/** A newer Gemini CLI log: one line per change, and every reply written twice. */
export function writeGeminiCli(script: Script): JsonObject[] {
  const messages = writeGeminiCliMessages(script).flatMap((message) =>
    message.type === "gemini" ? [{ ...message, toolCalls: [] }, message] : [message],
  );
  return [SESSION, ...messages, { $set: { lastUpdated: TIMESTAMP } }];
}
