import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type WireId,
} from "@longhaul/conversation/advanced";

/** The empty value of a field: null, an empty array or an empty string. */
type Emptiness = "null" | "list" | "text";

/** Optional fields by the path of their object, without array indexes. `""` is the body or event itself. */
type OptionalFields = Readonly<Record<string, Readonly<Record<string, Emptiness>>>>;

/** How empty optional fields are written. */
export type EmptyStyle = "absent" | "null" | "empty";

/** All styles of empty fields. */
export const EMPTY_STYLES: readonly EmptyStyle[] = ["absent", "null", "empty"];

/**
 * Writes every empty optional field of a reply or event in one style. Content of the client or the model (arguments, schemas, results) is
 * not an API object and stays unchanged.
 */
export function setEmptyReplyFields(value: JsonObject, wire: WireId, style: EmptyStyle): JsonObject {
  return setEmptyFields(value, { table: REPLY_FIELDS[wire] ?? {}, style, path: "" });
}

/** Writes every empty optional field of a request body in one style. */
export function setEmptyRequestFields(value: JsonObject, wire: WireId, style: EmptyStyle): JsonObject {
  return setEmptyFields(value, { table: REQUEST_FIELDS[wire] ?? {}, style, path: "" });
}

interface FieldPosition {
  readonly table: OptionalFields;
  readonly style: EmptyStyle;
  readonly path: string;
}

function setEmptyFields(object: JsonObject, position: FieldPosition): JsonObject {
  const { table, style, path } = position;
  const optional = table[path] ?? {};
  const filled = Object.entries(object).filter(([name, value]) => !(name in optional && isEmpty(value)));
  const inner = filled.map(
    ([name, value]) => [name, setEmptyFieldsIn(value, { ...position, path: joined(path, name) })] as const,
  );
  if (style === "absent") return Object.fromEntries(inner);
  const missing = Object.entries(optional).filter(([name]) => !filled.some(([known]) => known === name));
  const empty = missing.map(([name, emptiness]) => [name, nothing(style, emptiness)] as const);
  return Object.fromEntries([...empty, ...inner]);
}

function setEmptyFieldsIn(value: JsonValue, position: FieldPosition): JsonValue {
  const isKnown = Object.keys(position.table).some(
    (path) => path === position.path || path.startsWith(`${position.path}.`),
  );
  if (!isKnown) return value;
  if (isJsonArray(value)) return value.map((entry) => (isJsonObject(entry) ? setEmptyFields(entry, position) : entry));
  return isJsonObject(value) ? setEmptyFields(value, position) : value;
}

function joined(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

function isEmpty(value: JsonValue): boolean {
  return value === null || value === "" || (isJsonArray(value) && value.length === 0);
}

function nothing(style: "null" | "empty", emptiness: Emptiness): JsonValue {
  if (style === "null" || emptiness === "null") return null;
  return emptiness === "list" ? [] : "";
}

const CHAT_WORDS = {
  role: "text",
  content: "text",
  refusal: "text",
  tool_calls: "list",
  function_call: "null",
  reasoning_content: "text",
  reasoning: "text",
  reasoning_text: "text",
  reasoning_details: "list",
  annotations: "list",
  audio: "null",
} as const;

const CHAT_USAGE = {
  prompt_tokens_details: "null",
  completion_tokens_details: "null",
  cached_tokens: "null",
  prompt_cache_hit_tokens: "null",
  reasoning_tokens: "null",
} as const;

const CHAT: OptionalFields = {
  "": {
    usage: "null",
    error: "null",
    choices: "list",
    system_fingerprint: "text",
    service_tier: "text",
    x_groq: "null",
  },
  choices: { logprobs: "null", finish_reason: "text", stop_reason: "null", matched_stop: "null", usage: "null" },
  "choices.delta": CHAT_WORDS,
  "choices.message": { ...CHAT_WORDS, role: "null" },
  "choices.delta.tool_calls": { id: "text", type: "text", index: "null", custom: "null", extra_content: "null" },
  "choices.delta.tool_calls.function": { name: "text", arguments: "text" },
  "choices.delta.reasoning_details": { id: "text", text: "text", summary: "text", signature: "text", data: "text" },
  "choices.message.tool_calls": { type: "text", index: "null", custom: "null", extra_content: "null" },
  "choices.message.tool_calls.function": { arguments: "text" },
  usage: CHAT_USAGE,
  "choices.usage": CHAT_USAGE,
  "usage.prompt_tokens_details": { cached_tokens: "null", cache_write_tokens: "null", audio_tokens: "null" },
  "usage.completion_tokens_details": { reasoning_tokens: "null", audio_tokens: "null" },
};

const ITEM = {
  content: "list",
  summary: "list",
  encrypted_content: "text",
  namespace: "text",
  status: "text",
  action: "null",
  phase: "null",
} as const;

const RESPONSES_USAGE = { input_tokens_details: "null", output_tokens_details: "null" } as const;

const RESPONSES: OptionalFields = {
  "": { error: "null", incomplete_details: "null", usage: "null", obfuscation: "text", logprobs: "list", part: "null" },
  response: { error: "null", incomplete_details: "null", usage: "null", output: "list", instructions: "null" },
  item: ITEM,
  "item.content": { annotations: "list", logprobs: "list" },
  part: { annotations: "list", logprobs: "list" },
  output: ITEM,
  "output.content": { annotations: "list", logprobs: "list" },
  "response.output": ITEM,
  usage: RESPONSES_USAGE,
  "response.usage": RESPONSES_USAGE,
  "response.usage.input_tokens_details": { cached_tokens: "null", cache_write_tokens: "null" },
};

const ANTHROPIC_USAGE = {
  cache_creation_input_tokens: "null",
  cache_read_input_tokens: "null",
  cache_creation: "null",
  output_tokens_details: "null",
  server_tool_use: "null",
  iterations: "list",
} as const;

const ANTHROPIC_END = { stop_reason: "text", stop_sequence: "text", stop_details: "null", container: "null" } as const;

const ANTHROPIC: OptionalFields = {
  "": { usage: "null", context_management: "null", content_block: "null", ...ANTHROPIC_END },
  message: { content: "list", usage: "null", context_management: "null", ...ANTHROPIC_END },
  content_block: { text: "text", thinking: "text", signature: "text", citations: "list", caller: "null" },
  delta: { text: "text", thinking: "text", partial_json: "text", ...ANTHROPIC_END },
  content: { signature: "text", citations: "list", caller: "null", cache_control: "null" },
  usage: ANTHROPIC_USAGE,
  "message.usage": ANTHROPIC_USAGE,
};

const GEMINI: OptionalFields = {
  "": { candidates: "list", promptFeedback: "null", usageMetadata: "null", error: "null" },
  candidates: {
    content: "null",
    finishReason: "text",
    finishMessage: "text",
    safetyRatings: "list",
    citationMetadata: "null",
    groundingMetadata: "null",
    index: "null",
  },
  "candidates.content": { parts: "list", role: "text" },
  "candidates.content.parts": {
    text: "null",
    thought: "null",
    thoughtSignature: "text",
    functionCall: "null",
    functionResponse: "null",
    inlineData: "null",
    fileData: "null",
    videoMetadata: "null",
  },
  "candidates.content.parts.functionCall": { id: "text", args: "null", partialArgs: "list", willContinue: "null" },
  promptFeedback: { blockReason: "text", safetyRatings: "list" },
  usageMetadata: {
    cachedContentTokenCount: "null",
    thoughtsTokenCount: "null",
    toolUsePromptTokenCount: "null",
    promptTokensDetails: "list",
  },
};

const REPLY_FIELDS: Readonly<Record<WireId, OptionalFields>> = {
  "openai-chat": CHAT,
  "openai-responses": RESPONSES,
  "anthropic-messages": ANTHROPIC,
  gemini: GEMINI,
};

const SAMPLING = {
  temperature: "null",
  top_p: "null",
  stream: "null",
  metadata: "null",
  service_tier: "null",
} as const;

const CHAT_REQUEST: OptionalFields = {
  "": {
    ...SAMPLING,
    frequency_penalty: "null",
    presence_penalty: "null",
    seed: "null",
    stop: "list",
    tools: "list",
    tool_choice: "null",
    parallel_tool_calls: "null",
    reasoning_effort: "null",
    reasoning: "null",
    response_format: "null",
    user: "null",
    safety_identifier: "null",
    max_tokens: "null",
    max_completion_tokens: "null",
    stream_options: "null",
    functions: "list",
    function_call: "null",
    logprobs: "null",
  },
  messages: { ...CHAT_WORDS, role: "null", content: "null", name: "null", tool_call_id: "null" },
  "messages.tool_calls": { extra_content: "null", custom: "null" },
  "messages.tool_calls.function": { arguments: "text" },
  "messages.content": { cache_control: "null", prompt_cache_breakpoint: "null" },
  "messages.content.image_url": { detail: "null" },
  "tools.function": { description: "text", parameters: "null", strict: "null" },
};

const RESPONSES_REQUEST: OptionalFields = {
  "": {
    ...SAMPLING,
    instructions: "text",
    tools: "list",
    tool_choice: "null",
    parallel_tool_calls: "null",
    reasoning: "null",
    text: "null",
    user: "null",
    include: "list",
    max_output_tokens: "null",
    previous_response_id: "null",
    truncation: "null",
  },
  input: { namespace: "text", status: "null", phase: "null", encrypted_content: "text" },
  "input.content": { cache_control: "null", annotations: "list", detail: "null" },
  reasoning: { effort: "null", summary: "null" },
  text: { format: "null", verbosity: "null" },
  tools: { description: "text", strict: "null", parameters: "null" },
};

const ANTHROPIC_REQUEST: OptionalFields = {
  "": {
    ...SAMPLING,
    top_k: "null",
    system: "list",
    tools: "list",
    tool_choice: "null",
    thinking: "null",
    output_config: "null",
    stop_sequences: "list",
    container: "null",
    mcp_servers: "list",
  },
  "messages.content": { cache_control: "null", citations: "list", is_error: "null", title: "text", context: "text" },
  system: { cache_control: "null", citations: "list" },
  thinking: { display: "null", budget_tokens: "null" },
  output_config: { effort: "null", format: "null" },
  tools: { description: "text", cache_control: "null", strict: "null" },
};

const GEMINI_REQUEST: OptionalFields = {
  "": {
    systemInstruction: "null",
    tools: "list",
    toolConfig: "null",
    generationConfig: "null",
    safetySettings: "list",
    cachedContent: "text",
  },
  generationConfig: {
    temperature: "null",
    topP: "null",
    topK: "null",
    seed: "null",
    maxOutputTokens: "null",
    stopSequences: "list",
    thinkingConfig: "null",
    responseMimeType: "text",
    responseSchema: "null",
    responseJsonSchema: "null",
    candidateCount: "null",
  },
  "generationConfig.thinkingConfig": { thinkingBudget: "null", thinkingLevel: "text", includeThoughts: "null" },
  toolConfig: { functionCallingConfig: "null" },
  "toolConfig.functionCallingConfig": { mode: "null", allowedFunctionNames: "list" },
  contents: { role: "text" },
  "contents.parts": GEMINI["candidates.content.parts"] ?? {},
  "contents.parts.functionCall": { id: "text", args: "null" },
  "contents.parts.functionResponse": { id: "text", parts: "list" },
  "tools.functionDeclarations": { description: "text", parameters: "null", parametersJsonSchema: "null" },
};

const REQUEST_FIELDS: Readonly<Record<WireId, OptionalFields>> = {
  "openai-chat": CHAT_REQUEST,
  "openai-responses": RESPONSES_REQUEST,
  "anthropic-messages": ANTHROPIC_REQUEST,
  gemini: GEMINI_REQUEST,
};
