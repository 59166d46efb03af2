import { ensure, Rejection } from "../core/api.ts";
import { isGiven, type JsonObject, listIn, numberIn, objectIn, objectsIn, textIn, textsIn } from "../core/json.ts";
import { configIn, declarationsIn, type GeminiRequest, isThinking, signsCalls, thinkingIn } from "./request.ts";

const CONFIG = "GenerateContentRequest.generation_config";
const MAX_STOP_SEQUENCES = 5;

export function checkRequest(request: GeminiRequest): void {
  const { body } = request;
  ensure(listIn(body.contents).length > 0, "* GenerateContentRequest.contents: contents is not specified\n");
  if (isGiven(body.cachedContent)) throw new Rejection(403, "CachedContent not found (or permission denied)");
  checkLimits(request);
  checkRanges(request);
  checkFormat(request);
  checkThinking(request);
  checkTools(request);
}

/** The maximum output, including thinking. */
export function maxTokensOf(request: GeminiRequest): number {
  return numberIn(configIn(request).maxOutputTokens) ?? request.model.maxOutput;
}

function checkLimits(request: GeminiRequest): void {
  const max = maxTokensOf(request);
  const limit = request.model.maxOutput;
  ensure(max >= 1, `* ${CONFIG}.max_output_tokens: max_output_tokens must be positive.\n`);
  ensure(
    max <= limit,
    `Unable to submit request because it has a maxOutputTokens value of ${max} but the supported range is from 1 (inclusive) to ${limit + 1} (exclusive). Update the value and try again.`,
  );
  const { candidateCount, stopSequences } = configIn(request);
  ensure((numberIn(candidateCount) ?? 1) === 1, "Multiple candidates is not enabled for this model");
  ensure(
    listIn(stopSequences).length <= MAX_STOP_SEQUENCES,
    `* ${CONFIG}.stop_sequences: only up to ${MAX_STOP_SEQUENCES} stop sequences are allowed\n`,
  );
}

const RANGES: Readonly<Record<string, readonly [number, number]>> = { temperature: [0, 2], topP: [0, 1] };

function checkRanges(request: GeminiRequest): void {
  const config = configIn(request);
  for (const [name, [least, most]] of Object.entries(RANGES)) {
    const value = numberIn(config[name]) ?? most;
    const field = name === "topP" ? "top_p" : name;
    ensure(
      value >= least && value <= most,
      `* ${CONFIG}.${field}: ${field} must be in the range [${least.toFixed(1)}, ${most.toFixed(1)}].\n`,
    );
  }
}

const JSON_TYPE = "application/json";

/** Functions together with JSON output need Gemini 3. */
function checkFormat(request: GeminiRequest): void {
  const { responseMimeType, responseSchema, responseJsonSchema } = configIn(request);
  const type = textIn(responseMimeType) || "text/plain";
  const hasSchema = isGiven(responseSchema) || isGiven(responseJsonSchema);
  ensure(
    !hasSchema || type === JSON_TYPE || type === "text/x.enum",
    `Response_schema with a response mime type '${type}' is unsupported`,
  );
  ensure(
    !isGiven(responseSchema) || !isGiven(responseJsonSchema),
    `* ${CONFIG}: response_schema and response_json_schema cannot both be set\n`,
  );
  ensure(
    type !== JSON_TYPE || declarationsIn(request).length === 0 || signsCalls(request.model),
    `Function calling with a response mime type: '${JSON_TYPE}' is unsupported`,
  );
  if (isGiven(responseSchema)) checkSchema(objectIn(responseSchema), `${CONFIG}.response_schema`);
}

const AUTOMATIC = -1;

export function checkThinking(request: GeminiRequest): void {
  const { thinkingBudget, thinkingLevel, includeThoughts } = thinkingIn(request);
  ensure(
    !isGiven(thinkingBudget) || !isGiven(thinkingLevel),
    "You can only set only one of thinking budget and thinking level.",
  );
  if (isGiven(thinkingLevel)) checkLevel(request);
  if (isGiven(thinkingBudget)) checkBudget(request);
  ensure(
    includeThoughts !== true || isThinking(request) || isGiven(thinkingLevel),
    "Thinking_config.include_thoughts is only enabled when thinking is enabled.",
  );
}

function checkLevel(request: GeminiRequest): void {
  const { reasoning } = request.model;
  const level = textIn(thinkingIn(request).thinkingLevel);
  const hasLevels = reasoning.kind === "level" || reasoning.kind === "effort";
  ensure(hasLevels, "Thinking level is not supported for this model.");
  ensure(
    reasoning.levels.some((known) => known === level.toLowerCase()),
    `Thinking level ${level} is not supported for this model. Please retry with other thinking level.`,
  );
}

/** Models with levels also accept a budget, but not 0 if they cannot stop thinking. */
function checkBudget(request: GeminiRequest): void {
  const { kind, mandatory, minBudgetTokens = 0, maxBudgetTokens } = request.model.reasoning;
  const budget = numberIn(thinkingIn(request).thinkingBudget) ?? AUTOMATIC;
  ensure(kind !== "none" || budget === 0, "Thinking is not supported for this model.");
  ensure(budget !== 0 || !mandatory, "Budget 0 is invalid. This model only works in thinking mode.");
  if (budget === 0 || budget === AUTOMATIC) return;
  const limit = maxBudgetTokens ?? request.model.maxOutput;
  ensure(
    budget >= minBudgetTokens && budget <= limit,
    `The thinking budget ${budget} is invalid. Please choose a value between ${minBudgetTokens} and ${limit}.`,
  );
}

const MAX_DECLARATIONS = 512;
const NAME = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/;

export function checkTools(request: GeminiRequest): void {
  for (const [at, tool] of objectsIn(request.body.tools).entries()) checkTool(tool, at);
  const names = declarationsIn(request).map(({ name }) => textIn(name));
  ensure(
    names.length <= MAX_DECLARATIONS,
    `GenerateContentRequest.tools.function_declarations: at most ${MAX_DECLARATIONS} function declarations can be provided`,
  );
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  ensure(twice === undefined, `Duplicate function declaration found: ${twice}`);
  checkChoice(request, names);
}

function checkTool(tool: JsonObject, at: number): void {
  const declarations = objectsIn(tool.functionDeclarations);
  const hasOther = Object.keys(tool).some((name) => name !== "functionDeclarations");
  ensure(
    declarations.length > 0 || hasOther,
    `* GenerateContentRequest.tools[${at}].tool_type: required one_of 'tool_type' must have one initialized field\n`,
  );
  for (const [index, declaration] of declarations.entries())
    checkDeclaration(declaration, `GenerateContentRequest.tools[${at}].function_declarations[${index}]`);
}

function checkDeclaration({ name, parameters, parametersJsonSchema, response }: JsonObject, path: string): void {
  ensure(
    NAME.test(textIn(name)),
    `* ${path}.name: Invalid function name. Must start with a letter or an underscore. Must be alphanumeric (a-z, A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 128.\n`,
  );
  ensure(
    !isGiven(parameters) || !isGiven(parametersJsonSchema),
    `* ${path}: parameters and parameters_json_schema cannot both be set\n`,
  );
  if (isGiven(parameters)) checkSchema(objectIn(parameters), `${path}.parameters`);
  if (isGiven(response)) checkSchema(objectIn(response), `${path}.response`);
}

const CHOICE = "GenerateContentRequest.tool_config.function_calling_config";

function checkChoice({ body }: GeminiRequest, names: readonly string[]): void {
  const { mode, allowedFunctionNames } = objectIn(objectIn(body.toolConfig).functionCallingConfig);
  const allowed = textsIn(allowedFunctionNames);
  const isForced = mode === "ANY" || mode === "VALIDATED";
  ensure(
    allowed.length === 0 || isForced,
    `* ${CHOICE}.allowed_function_names: only allowed when the function calling mode is ANY or VALIDATED\n`,
  );
  const unknown = allowed.find((name) => !names.includes(name));
  ensure(
    unknown === undefined,
    `* ${CHOICE}.allowed_function_names: '${unknown}' is not among the function declarations\n`,
  );
  ensure(
    mode !== "ANY" || names.length > 0,
    "Function calling config is set without function_declarations in tools for function calling.",
  );
}

/** Rejects incomplete schemas of the OpenAPI subset: objects without fields, arrays without items. */
export function checkSchema(schema: JsonObject, path: string): void {
  const { type, properties, items, anyOf } = schema;
  const fields = Object.entries(objectIn(properties));
  ensure(
    type !== "OBJECT" || fields.length > 0 || isGiven(anyOf),
    `* ${path}.properties: should be non-empty for OBJECT type\n`,
  );
  ensure(type !== "ARRAY" || isGiven(items), `* ${path}.items: missing field.\n`);
  for (const [name, field] of fields) checkSchema(objectIn(field), `${path}.properties[${name}]`);
  if (isGiven(items)) checkSchema(objectIn(items), `${path}.items`);
  for (const [at, choice] of objectsIn(anyOf).entries()) checkSchema(choice, `${path}.any_of[${at}]`);
}
