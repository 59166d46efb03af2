import type { Model } from "@longhaul/models/catalog";
import { ensure } from "../core/api.ts";
import { isGiven, type JsonObject, numberIn, objectIn, objectsIn, textIn, textsIn } from "../core/json.ts";
import type { OpenaiRequest } from "../openai/api.ts";
import {
  checkChoice,
  checkEffort,
  checkName,
  checkSampling,
  checkStrictSchema,
  requireParameter,
} from "../openai/check-parameters.ts";

/** Fields of the body (from the vendor's SDK). */
const FIELDS = new Set(
  `access_programs background context_management conversation image include input instructions max_output_tokens max_tool_calls metadata
  model moderation parallel_tool_calls previous_response_id prompt prompt_cache_key prompt_cache_options prompt_cache_retention reasoning
  safety_identifier service_tier store stream stream_options temperature text tool_choice tools top_logprobs top_p truncation user
  client_metadata personality`.split(/\s+/),
);
const MIN_OUTPUT_TOKENS = 16;
/** OpenAI's own tools, and those of clients. */
const TOOLS = new Set(
  `function custom web_search web_search_preview file_search code_interpreter image_generation mcp local_shell shell computer
  computer_use_preview apply_patch tool_search namespace programmatic_tool_calling`.split(/\s+/),
);

export function checkRequest({ body, model }: OpenaiRequest): void {
  const unknown = Object.keys(body).find((name) => !FIELDS.has(name));
  ensure(unknown === undefined, `Unknown parameter: '${unknown}'.`, {
    param: unknown ?? "",
    code: "unknown_parameter",
  });
  checkMaxTokens(body, model);
  checkSampling(body, model);
  checkEffort(objectIn(body.reasoning).effort, "reasoning.effort", model);
  checkTools(body.tools, "tools");
  for (const [at, { type, tools }] of objectsIn(body.input).entries())
    if (type === "additional_tools") checkTools(tools, `input[${at}].tools`);
  checkFormat(body);
  const wantsReasoning = textsIn(body.include).includes("reasoning.encrypted_content");
  ensure(!wantsReasoning || model.reasoning.kind !== "none", "Encrypted content is not supported with this model.", {
    param: "include",
  });
  checkContextManagement(body);
}

function checkMaxTokens({ max_output_tokens }: JsonObject, model: Model): void {
  const max = numberIn(max_output_tokens);
  if (max === undefined) return;
  const param = "max_output_tokens";
  ensure(
    max >= MIN_OUTPUT_TOKENS,
    `Invalid '${param}': integer below minimum value. Expected a value >= ${MIN_OUTPUT_TOKENS}, but got ${max} instead.`,
    { param, code: "integer_below_min_value" },
  );
  ensure(
    max <= model.maxOutput,
    `Invalid '${param}': integer above maximum value. Expected a value <= ${model.maxOutput}, but got ${max} instead.`,
    { param, code: "integer_above_max_value" },
  );
}

function checkTools(tools: unknown, path: string): void {
  for (const [at, tool] of objectsIn(tools).entries()) checkTool(tool, `${path}[${at}]`);
}

function checkTool(tool: JsonObject, path: string): void {
  const type = textIn(tool.type);
  requireParameter(type !== "", `${path}.type`);
  ensure(
    TOOLS.has(type),
    `Invalid value: '${type}'. Supported values are: ${[...TOOLS].map((name) => `'${name}'`).join(", ")}.`,
    { param: `${path}.type`, code: "invalid_value" },
  );
  if (type === "namespace") checkTools(tool.tools, `${path}.tools`);
  if (type !== "function") return;
  checkName(tool.name, `${path}.name`);
  if (tool.strict === true) checkStrictSchema(tool.parameters, `function '${textIn(tool.name)}'`);
}

function checkFormat(body: JsonObject): void {
  const { type, name, schema, strict } = objectIn(objectIn(body.text).format);
  if (type !== "json_schema") return;
  checkName(name, "text.format.name");
  if (strict === true) checkStrictSchema(schema, `response_format '${textIn(name)}'`);
}

function checkContextManagement({ context_management }: JsonObject): void {
  for (const [at, { type }] of objectsIn(context_management).entries())
    checkChoice(type, ["compaction"], `context_management[${at}].type`);
}

/** Returns the tool that must be called, or `any`. */
export function mustCall({ tool_choice }: JsonObject): string | undefined {
  if (tool_choice === "required") return "any";
  const { type, name } = objectIn(tool_choice);
  return isGiven(name) && (type === "function" || type === "custom") ? textIn(name) : undefined;
}
