import { ensure } from "../core/api.ts";
import { isGiven, type JsonObject, numberIn, objectIn, objectsIn, textIn } from "../core/json.ts";
import type { OpenaiRequest } from "../openai/api.ts";
import {
  checkChoice,
  checkEffort,
  checkFilled,
  checkLength,
  checkName,
  checkSampling,
  checkStrictSchema,
  requireParameter,
} from "../openai/check-parameters.ts";
import { callsIn, partsIn, textsIn } from "./request.ts";

/** Fields of the body (from the vendor's SDK). */
const FIELDS = new Set(
  `messages model audio frequency_penalty function_call functions logit_bias logprobs max_completion_tokens max_tokens metadata modalities
  moderation n parallel_tool_calls prediction presence_penalty prompt_cache_key prompt_cache_options prompt_cache_retention
  reasoning_effort response_format safety_identifier seed service_tier stop store stream stream_options temperature tool_choice tools
  top_logprobs top_p user verbosity web_search_options`.split(/\s+/),
);

export function checkRequest(request: OpenaiRequest): void {
  const { body, model } = request;
  const unknown = Object.keys(body).filter((name) => !FIELDS.has(name));
  ensure(unknown.length === 0, `Unrecognized request argument supplied: ${unknown[0]}`);
  checkMaxTokens(request);
  checkSampling(body, model);
  checkEffort(body.reasoning_effort, "reasoning_effort", model);
  checkTools(body);
  checkFormat(body);
  ensure(
    !isGiven(body.stream_options) || body.stream === true,
    "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
    { param: "stream_options" },
  );
}

export function maxTokensOf(body: JsonObject): number | undefined {
  return numberIn(body.max_completion_tokens) ?? numberIn(body.max_tokens);
}

function checkMaxTokens({ body, model }: OpenaiRequest): void {
  const param = isGiven(body.max_completion_tokens) ? "max_completion_tokens" : "max_tokens";
  ensure(
    !isGiven(body.max_tokens) || !model.rejects.includes("max_tokens"),
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    { param: "max_tokens", code: "unsupported_parameter" },
  );
  const both = isGiven(body.max_tokens) && isGiven(body.max_completion_tokens);
  ensure(!both, "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.", {
    code: "invalid_parameter_combination",
  });
  const max = maxTokensOf(body);
  if (max === undefined) return;
  ensure(max >= 1, `Invalid '${param}': integer below minimum value. Expected a value >= 1, but got ${max} instead.`, {
    param,
    code: "integer_below_min_value",
  });
  ensure(
    max <= model.maxOutput,
    `${param} is too large: ${max}. This model supports at most ${model.maxOutput} completion tokens, whereas you provided ${max}.`,
    { param, code: "invalid_value" },
  );
}

function checkTools(body: JsonObject): void {
  const tools = objectsIn(body.tools);
  checkFilled(!isGiven(body.tools) || tools.length > 0, "tools");
  for (const [at, tool] of tools.entries()) checkTool(tool, at);
  const isChosen = isGiven(body.tool_choice) && body.tool_choice !== "none";
  ensure(
    !isChosen || tools.length > 0,
    "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified.",
    { param: "tool_choice" },
  );
  const name = textIn(objectIn(objectIn(body.tool_choice).function).name);
  const isThere = name === "" || tools.some((tool) => objectIn(tool.function).name === name);
  ensure(isThere, `Invalid value for 'tool_choice': the function '${name}' is not among the specified tools.`, {
    param: "tool_choice",
  });
}

function checkTool(tool: JsonObject, at: number): void {
  if (tool.type === "custom") return;
  checkChoice(tool.type, ["function", "custom"], `tools[${at}].type`);
  const { name, strict, parameters } = objectIn(tool.function);
  checkName(name, `tools[${at}].function.name`);
  if (strict === true) checkStrictSchema(parameters, `function '${textIn(name)}'`);
}

function checkFormat(body: JsonObject): void {
  const { type, json_schema } = objectIn(body.response_format);
  if (type === "json_object") {
    const texts = objectsIn(body.messages).flatMap(({ content }) => textsIn(content));
    ensure(
      texts.some((text) => /json/i.test(text)),
      "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
      { param: "messages" },
    );
  }
  if (type !== "json_schema") return;
  const { name, schema, strict } = objectIn(json_schema);
  checkName(name, "response_format.json_schema.name");
  if (strict === true) checkStrictSchema(schema, `response_format '${textIn(name)}'`);
}

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
