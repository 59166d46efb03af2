import { isGiven, type JsonObject, objectIn, objectsIn, textIn, textsIn } from "../core/json.ts";
import { demand } from "../core/rejection.ts";
import { checkSchema } from "./check-schema.ts";
import { declarationsIn, type GeminiRequest } from "./request.ts";

const MAX_DECLARATIONS = 512;
const NAME = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/;

/** Refuses tools and choices of tools that the API refuses. */
export function checkTools(request: GeminiRequest): void {
  for (const [at, tool] of objectsIn(request.body.tools).entries()) checkTool(tool, at);
  const names = declarationsIn(request).map(({ name }) => textIn(name));
  demand(
    names.length <= MAX_DECLARATIONS,
    `GenerateContentRequest.tools.function_declarations: at most ${MAX_DECLARATIONS} function declarations can be provided`,
  );
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  demand(twice === undefined, `Duplicate function declaration found: ${twice}`);
  checkChoice(request, names);
}

function checkTool(tool: JsonObject, at: number): void {
  const declarations = objectsIn(tool.functionDeclarations);
  const hasOther = Object.keys(tool).some((name) => name !== "functionDeclarations");
  demand(
    declarations.length > 0 || hasOther,
    `* GenerateContentRequest.tools[${at}].tool_type: required one_of 'tool_type' must have one initialized field\n`,
  );
  for (const [index, declaration] of declarations.entries())
    checkDeclaration(declaration, `GenerateContentRequest.tools[${at}].function_declarations[${index}]`);
}

function checkDeclaration({ name, parameters, parametersJsonSchema, response }: JsonObject, path: string): void {
  demand(
    NAME.test(textIn(name)),
    `* ${path}.name: Invalid function name. Must start with a letter or an underscore. Must be alphanumeric (a-z, A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 128.\n`,
  );
  demand(
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
  demand(
    allowed.length === 0 || isForced,
    `* ${CHOICE}.allowed_function_names: only allowed when the function calling mode is ANY or VALIDATED\n`,
  );
  const unknown = allowed.find((name) => !names.includes(name));
  demand(
    unknown === undefined,
    `* ${CHOICE}.allowed_function_names: '${unknown}' is not among the function declarations\n`,
  );
  demand(
    mode !== "ANY" || names.length > 0,
    "Function calling config is set without function_declarations in tools for function calling.",
  );
}
