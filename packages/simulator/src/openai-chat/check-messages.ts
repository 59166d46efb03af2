import { ensure } from "../core/api.ts";
import { isGiven, type JsonObject, objectIn, objectsIn, textIn } from "../core/json.ts";
import type { OpenaiRequest } from "../openai/api.ts";
import { checkChoice, checkFilled, checkLength, checkName, requireParameter } from "../openai/check-parameters.ts";
import { callsIn, partsIn } from "./request.ts";

const ROLES = ["system", "assistant", "user", "function", "tool", "developer"];
const MAX_CALL_ID_CHARS = 40;
const PART_TYPES: Readonly<Record<string, readonly string[]>> = {
  user: ["text", "image_url", "input_audio", "file"],
  assistant: ["text", "refusal"],
  tool: ["text"],
  system: ["text"],
  developer: ["text"],
};
const PART_FIELDS = ["type", "text", "image_url", "input_audio", "file", "refusal", "prompt_cache_breakpoint"];

/** Rejects invalid messages. `extraFields` are part fields that an imitation of OpenAI accepts in addition. */
export function checkMessages({ body, model }: OpenaiRequest, extraFields: readonly string[] = []): void {
  requireParameter(isGiven(body.messages), "messages");
  const messages = objectsIn(body.messages);
  checkFilled(messages.length > 0, "messages");
  const fields = [...PART_FIELDS, ...extraFields];
  for (const [at, message] of messages.entries()) checkMessage(message, at, fields);
  checkPairs(messages);
  const images = messages.flatMap(({ content }) => partsIn(content).filter(({ type }) => type === "image_url"));
  ensure(
    images.length === 0 || model.images.supported,
    "Invalid content type. image_url is only supported by certain models.",
    { param: "messages" },
  );
}

function checkMessage(message: JsonObject, at: number, fields: readonly string[]): void {
  const role = textIn(message.role);
  checkChoice(role, ROLES, `messages[${at}].role`);
  const calls = callsIn(message);
  checkFilled(!isGiven(message.tool_calls) || calls.length > 0, `messages[${at}].tool_calls`);
  const mayBeEmpty =
    role === "assistant" && (calls.length > 0 || isGiven(message.function_call) || isGiven(message.refusal));
  ensure(isGiven(message.content) || mayBeEmpty, "Invalid value for 'content': expected a string, got null.", {
    param: `messages.[${at}].content`,
  });
  if (role === "tool") requireParameter(typeof message.tool_call_id === "string", `messages[${at}].tool_call_id`);
  for (const [index, part] of partsIn(message.content).entries()) {
    const path = `messages[${at}].content[${index}]`;
    checkChoice(part.type, PART_TYPES[role] ?? ["text"], path);
    checkPart(part, path, fields);
  }
  for (const [index, call] of calls.entries()) checkCall(call, `messages[${at}].tool_calls[${index}]`);
}

function checkPart(part: JsonObject, path: string, fields: readonly string[]): void {
  const unknown = Object.keys(part).find((name) => !fields.includes(name));
  const param = `${path}.${unknown}`;
  ensure(unknown === undefined, `Unknown parameter: '${param}'.`, { param, code: "unknown_parameter" });
}

function checkCall(call: JsonObject, path: string): void {
  requireParameter(typeof call.id === "string", `${path}.id`);
  checkLength(call.id, `${path}.id`, MAX_CALL_ID_CHARS);
  if (call.type === "custom") return;
  const { name, arguments: given } = objectIn(call.function);
  checkName(name, `${path}.function.name`);
  ensure(
    typeof given === "string",
    `Invalid type for '${path}.function.arguments': expected a string, but got an object instead.`,
    { param: `${path}.function.arguments`, code: "invalid_type" },
  );
}

/** Every call must be answered by tool messages directly after it, and every tool message must answer a call directly before it. */
function checkPairs(messages: readonly JsonObject[]): void {
  let open = new Set<string>();
  let known = new Set<string>();
  for (const [at, message] of messages.entries()) {
    if (message.role === "tool") {
      checkResult(textIn(message.tool_call_id), known, at);
      open.delete(textIn(message.tool_call_id));
      continue;
    }
    checkAnswered(open, at);
    known = new Set(callsIn(message).map(({ id }) => textIn(id)));
    open = new Set(known);
  }
  checkAnswered(open, messages.length);
}

function checkResult(id: string, known: ReadonlySet<string>, at: number): void {
  ensure(
    known.size > 0,
    "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
    { param: `messages.[${at}].role` },
  );
  ensure(known.has(id), `Invalid parameter: 'tool_call_id' of '${id}' not found in 'tool_calls' of previous message.`, {
    param: `messages.[${at}].tool_call_id`,
  });
}

function checkAnswered(open: ReadonlySet<string>, at: number): void {
  ensure(
    open.size === 0,
    `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${[...open].join(", ")}`,
    { param: `messages.[${at}].role` },
  );
}
