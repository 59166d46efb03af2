import type { JsonObject } from "@longhaul/conversation";
import { makeUserLine } from "./claude-code.ts";
import { type Reply, type Script, type Step, UNKNOWN_BLOCK } from "./script.ts";

/** A Claude Code log: one line per block of a reply, and one per result, which follows the line of its call. */
export function writeClaudeCode(script: Script): JsonObject[] {
  const lines: JsonObject[] = [{ type: "summary", summary: "A session", leafUuid: "elsewhere" }];
  const callLines = new Map<string, string>();
  for (const { line, callId, answers } of script.flatMap(writeLines)) {
    const uuid = `line-${lines.length}`;
    const parentUuid = callLines.get(answers ?? "") ?? lines.at(-1)?.uuid ?? null;
    lines.push({ ...line, uuid, parentUuid, isSidechain: false, timestamp: "2026-01-02T03:04:05.000Z" });
    if (callId !== undefined) callLines.set(callId, uuid);
  }
  return lines;
}

interface WrittenLine {
  readonly line: JsonObject;
  /** Id of the call in this line. */
  readonly callId?: string;
  /** Id of the call that this line answers. */
  readonly answers?: string;
}

function writeLines(step: Step, number: number): WrittenLine[] {
  if (step.kind === "user") return [{ line: makeUserLine(step.text) }];
  if (step.kind === "reply") return writeReplyLines(step, number);
  return step.results.map(({ callId, text }) => {
    const content = [{ type: "tool_result", tool_use_id: callId, content: text }];
    return { line: makeUserLine(content, { toolUseResult: { stdout: text } }), answers: callId };
  });
}

/** Only the last line of a reply has the final output count. */
function writeReplyLines(reply: Reply, number: number): WrittenLine[] {
  const blocks: { block: JsonObject; callId?: string }[] = [
    { block: { type: "text", text: reply.text } },
    ...(reply.hasUnknownBlock ? [{ block: UNKNOWN_BLOCK }] : []),
    ...reply.calls.map((call) => ({ block: { type: "tool_use", ...call }, callId: call.id })),
  ];
  const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens } = reply.usage;
  return blocks.map(({ block, callId }, index) => ({
    ...(callId !== undefined && { callId }),
    line: {
      type: "assistant",
      requestId: `req-${number}`,
      message: {
        id: `msg-${number}`,
        role: "assistant",
        model: "claude-sonnet-4-5",
        content: [block],
        usage: {
          input_tokens: inputTokens,
          cache_read_input_tokens: cacheReadTokens,
          cache_creation_input_tokens: cacheWriteTokens,
          output_tokens: index === blocks.length - 1 ? outputTokens : 1,
        },
      },
    },
  }));
}

const PI_HEADER = { type: "session", id: "s1", cwd: "/project", provider: "anthropic", modelId: "claude-opus-4-5" };

/** A pi log of version 1: each entry follows the one before. */
export function writePi(script: Script): JsonObject[] {
  return [PI_HEADER, ...script.flatMap(writePiMessages).map((message) => ({ type: "message", message }))];
}

/** A pi log of later versions: the entries form a tree. */
export function writePiTree(script: Script): JsonObject[] {
  const entries = writePi(script).slice(1);
  const linked = entries.map((entry, index) => ({
    ...entry,
    id: `e${index}`,
    parentId: index === 0 ? null : `e${index - 1}`,
  }));
  return [{ ...PI_HEADER, version: 3 }, ...linked];
}

function writePiMessages(step: Step): JsonObject[] {
  if (step.kind === "user") return [{ role: "user", content: [{ type: "text", text: step.text }] }];
  if (step.kind === "reply") return [writePiReply(step)];
  return step.results.map(({ callId, text }) => ({
    role: "toolResult",
    toolCallId: callId,
    toolName: "read",
    content: [{ type: "text", text }],
    isError: false,
  }));
}

function writePiReply({ text, calls, usage, hasUnknownBlock }: Reply): JsonObject {
  return {
    role: "assistant",
    api: "anthropic-messages",
    model: "claude-opus-4-5",
    content: [
      { type: "text", text },
      ...(hasUnknownBlock ? [UNKNOWN_BLOCK] : []),
      ...calls.map(({ id, name, input }) => ({ type: "toolCall", id, name, arguments: input })),
    ],
    usage: {
      input: usage.inputTokens,
      cacheRead: usage.cacheReadTokens,
      cacheWrite: usage.cacheWriteTokens,
      output: usage.outputTokens,
    },
    stopReason: "stop",
  };
}

/** An API history with Cline's metadata of model and usage. */
export function writeRoo(script: Script): JsonObject[] {
  return script.map((step, index) => ({ ...writeRooEntry(step), ts: 1_759_499_864_820 + index }));
}

function writeRooEntry(step: Step): JsonObject {
  if (step.kind === "user") return { role: "user", content: [{ type: "text", text: step.text }] };
  if (step.kind === "results") {
    const content = step.results.map(({ callId, text }) => ({
      type: "tool_result",
      tool_use_id: callId,
      content: text,
    }));
    return { role: "user", content };
  }
  const calls = step.calls.map((call) => ({ type: "tool_use", ...call }));
  const unknown = step.hasUnknownBlock ? [UNKNOWN_BLOCK] : [];
  const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens } = step.usage;
  return {
    role: "assistant",
    content: [{ type: "text", text: step.text }, ...unknown, ...calls],
    modelInfo: { id: "claude-sonnet-4-6", provider: "anthropic" },
    metrics: {
      inputTokens: inputTokens + cacheReadTokens + cacheWriteTokens,
      cacheReadTokens,
      cacheWriteTokens,
      outputTokens,
    },
  };
}

/** OpenAI messages. They start with a system message, which identifies the format in a session without tools. */
export function writeOpenaiChat(script: Script): JsonObject[] {
  return [{ role: "system", content: "Be brief." }, ...script.flatMap(writeOpenaiEntries)];
}

function writeOpenaiEntries(step: Step): JsonObject[] {
  if (step.kind === "user") return [{ role: "user", content: step.text }];
  if (step.kind === "results")
    return step.results.map(({ callId, text }) => ({ role: "tool", tool_call_id: callId, content: text }));
  const tool_calls = step.calls.map(({ id, name, input }) => ({
    id,
    type: "function",
    function: { name, arguments: JSON.stringify(input) },
  }));
  const content = step.hasUnknownBlock ? [{ type: "text", text: step.text }, UNKNOWN_BLOCK] : step.text;
  return [{ role: "assistant", content, ...(tool_calls.length > 0 && { tool_calls }) }];
}

export function writeAnthropic(script: Script): JsonObject[] {
  return script.map(writeAnthropicEntry);
}

function writeAnthropicEntry(step: Step): JsonObject {
  if (step.kind === "user") return { role: "user", content: step.text };
  if (step.kind === "results") {
    const content = step.results.map(({ callId, text }) => ({
      type: "tool_result",
      tool_use_id: callId,
      content: text,
    }));
    return { role: "user", content };
  }
  const calls = step.calls.map((call) => ({ type: "tool_use", ...call }));
  const unknown = step.hasUnknownBlock ? [UNKNOWN_BLOCK] : [];
  return { role: "assistant", content: [{ type: "text", text: step.text }, ...unknown, ...calls] };
}
