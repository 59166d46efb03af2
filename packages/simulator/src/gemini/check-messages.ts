import { ensure } from "../core/api.ts";
import { isGiven, type JsonObject, objectIn, textIn } from "../core/json.ts";
import {
  callsIn,
  contentsIn,
  type GeminiRequest,
  type LocatedPart,
  locatedParts,
  partsIn,
  pathOf,
  responsesIn,
} from "./request.ts";

/** A part must have exactly one of these. */
const KINDS = [
  "text",
  "inlineData",
  "fileData",
  "functionCall",
  "functionResponse",
  "executableCode",
  "codeExecutionResult",
  "toolCall",
  "toolResponse",
];
const ROLES = ["user", "model", "function"];

export function checkMessages(request: GeminiRequest): void {
  const contents = contentsIn(request.body);
  for (const [at, content] of contents.entries()) {
    checkRole(content, request.api);
    ensure(
      partsIn(content).length > 0,
      `* GenerateContentRequest.contents[${at}].parts: contents.parts must not be empty.\n`,
    );
  }
  for (const located of locatedParts(request.body)) checkPart(request, located);
  checkSystem(request.body);
  checkPairs(contents);
}

/** Only Vertex requires a role. */
function checkRole({ role }: JsonObject, api: GeminiRequest["api"]): void {
  const valid = "Please use a valid role: user, model.";
  ensure(role !== "system", `Content with system role is not supported. ${valid}`);
  const isMissing = textIn(role) === "";
  ensure(isMissing ? api === "gemini" : ROLES.includes(textIn(role)), valid);
}

function checkPart(request: GeminiRequest, located: LocatedPart): void {
  const { part } = located;
  const path = pathOf(located);
  const [kind, second] = KINDS.filter((name) => isGiven(part[name]));
  ensure(kind !== undefined, `* ${path}.data: required oneof field 'data' must have one initialized field\n`);
  const field = path.replace("GenerateContentRequest.", "");
  ensure(
    second === undefined,
    `Invalid value at '${field}' (oneof), oneof field 'data' is already set. Cannot set '${second}'`,
  );
  const isEmpty = part.text === "" && !isGiven(part.thoughtSignature);
  ensure(
    !isEmpty || request.api === "gemini",
    "Unable to submit request because it must have a text parameter. Add a text parameter and try again. Learn more: https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/gemini",
  );
  checkNames(part, path);
  checkMedia(request, part);
}

function checkNames({ functionCall, functionResponse }: JsonObject, path: string): void {
  for (const [field, value] of Object.entries({ function_call: functionCall, function_response: functionResponse }))
    ensure(!isGiven(value) || textIn(objectIn(value).name) !== "", `* ${path}.${field}.name: Name cannot be empty.\n`);
}

const MEDIA = /^(?:(?:image|audio|video|text)\/[\w.+-]+|application\/(?:pdf|json|x-javascript|x-python))$/;

function checkMedia({ model }: GeminiRequest, part: JsonObject): void {
  const inner = partsIn(objectIn(part.functionResponse));
  for (const { inlineData, fileData } of [part, ...inner]) {
    const type = textIn(objectIn(inlineData ?? fileData).mimeType);
    const isMedia = isGiven(inlineData) || (isGiven(fileData) && type !== "");
    ensure(!isMedia || MEDIA.test(type), `Unsupported MIME type: ${type}`);
    ensure(
      !isMedia || model.images.supported || !type.startsWith("image/"),
      `Image input modality is not enabled for models/${model.id}`,
    );
  }
}

function checkSystem({ systemInstruction }: JsonObject): void {
  if (!isGiven(systemInstruction)) return;
  for (const [at, part] of partsIn(objectIn(systemInstruction)).entries())
    ensure(
      isGiven(part.text),
      `* GenerateContentRequest.system_instruction.parts[${at}].data: required oneof field 'data' must have one initialized field\n`,
    );
}

/** Each call needs a result in the next content, and vice versa. Contents of one role are not merged. */
export function checkPairs(contents: readonly JsonObject[]): void {
  for (const [at, content] of contents.entries()) {
    const calls = callsIn(content).length;
    const before = contents[at - 1];
    const after = contents[at + 1];
    if (calls > 0) checkCalls(calls, { before, after });
    ensure(
      responsesIn(content).length === 0 || (before !== undefined && callsIn(before).length > 0),
      "Please ensure that function response turn comes immediately after a function call turn.",
    );
  }
}

function checkCalls(
  calls: number,
  { before, after }: { before: JsonObject | undefined; after: JsonObject | undefined },
): void {
  ensure(
    before !== undefined && before.role !== "model",
    "Please ensure that function call turn comes immediately after a user turn or after a function response turn.",
  );
  ensure(
    after !== undefined && responsesIn(after).length === calls,
    "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.",
  );
}
