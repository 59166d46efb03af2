import { ensure } from "../core/api.ts";
import { isGiven, type JsonObject, numberIn, objectIn, objectsIn, textIn } from "../core/json.ts";
import type { OpenaiRequest } from "../openai/api.ts";
import {
  checkChoice,
  checkEffort,
  checkFilled,
  checkName,
  checkSampling,
  checkStrictSchema,
} from "../openai/check-parameters.ts";
import { textsIn } from "./request.ts";

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
