/** A scalar, an enum or a message name; the suffix `[]` makes a list, `{}` a map. `any` is unchecked JSON, `struct` an object. */
type FieldTable = Readonly<Record<string, string>>;

/** Request messages: their fields (from the vendor's SDK) by type. Unknown fields are rejected by name. */
export const MESSAGES: Readonly<Record<string, FieldTable>> = {
  GenerateContentRequest: fieldsOf({
    "Content[]": "contents",
    Content: "systemInstruction",
    "Tool[]": "tools",
    string: "model cachedContent serviceTier",
    ToolConfig: "toolConfig",
    "SafetySetting[]": "safetySettings",
    GenerationConfig: "generationConfig",
    any: "labels",
    boolean: "store",
  }),
  CountTokensRequest: fieldsOf({
    "Content[]": "contents",
    Content: "systemInstruction",
    "Tool[]": "tools",
    string: "model",
    GenerationConfig: "generationConfig",
    GenerateContentRequest: "generateContentRequest",
  }),
  Content: fieldsOf({ string: "role", "Part[]": "parts" }),
  Part: fieldsOf({
    string: "text",
    Blob: "inlineData",
    FileData: "fileData",
    FunctionCall: "functionCall",
    FunctionResponse: "functionResponse",
    ExecutableCode: "executableCode",
    CodeExecutionResult: "codeExecutionResult",
    any: "toolCall toolResponse videoMetadata mediaResolution partMetadata",
    boolean: "thought",
    bytes: "thoughtSignature",
  }),
  Blob: fieldsOf({ string: "mimeType displayName", bytes: "data" }),
  FileData: fieldsOf({ string: "mimeType fileUri displayName" }),
  FunctionCall: fieldsOf({ string: "id name", struct: "args", any: "partialArgs", boolean: "willContinue" }),
  FunctionResponse: fieldsOf({
    string: "id name scheduling",
    struct: "response",
    "FunctionResponsePart[]": "parts",
    boolean: "willContinue",
  }),
  FunctionResponsePart: fieldsOf({ Blob: "inlineData", FileData: "fileData" }),
  ExecutableCode: fieldsOf({ string: "language code id" }),
  CodeExecutionResult: fieldsOf({ string: "outcome output id" }),
  Tool: fieldsOf({
    "FunctionDeclaration[]": "functionDeclarations",
    any: `googleSearch googleSearchRetrieval googleMaps codeExecution computerUse urlContext fileSearch mcpServers retrieval
      enterpriseWebSearch`,
  }),
  FunctionDeclaration: fieldsOf({
    string: "name description behavior",
    Schema: "parameters response",
    any: "parametersJsonSchema responseJsonSchema",
  }),
  Schema: fieldsOf({
    Type: "type",
    string: "format title description pattern",
    boolean: "nullable",
    "string[]": "enum propertyOrdering required",
    Schema: "items",
    number: "minItems maxItems minProperties maxProperties minLength maxLength minimum maximum",
    "Schema{}": "properties",
    any: "example default",
    "Schema[]": "anyOf",
  }),
  ToolConfig: fieldsOf({
    FunctionCallingConfig: "functionCallingConfig",
    any: "retrievalConfig",
    boolean: "includeServerSideToolInvocations",
  }),
  FunctionCallingConfig: fieldsOf({
    Mode: "mode",
    "string[]": "allowedFunctionNames",
    boolean: "streamFunctionCallArguments",
  }),
  SafetySetting: fieldsOf({ string: "category threshold method" }),
  GenerationConfig: fieldsOf({
    number: "candidateCount maxOutputTokens temperature topP topK seed presencePenalty frequencyPenalty logprobs",
    "string[]": "stopSequences responseModalities",
    string: "responseMimeType mediaResolution",
    Schema: "responseSchema",
    any: "responseJsonSchema speechConfig imageConfig routingConfig modelSelectionConfig",
    boolean: "responseLogprobs audioTimestamp enableEnhancedCivicAnswers",
    ThinkingConfig: "thinkingConfig",
  }),
  ThinkingConfig: fieldsOf({
    boolean: "includeThoughts",
    number: "thinkingBudget",
    ThinkingLevel: "thinkingLevel",
  }),
};

function fieldsOf(namesByType: Readonly<Record<string, string>>): FieldTable {
  const entries = Object.entries(namesByType);
  return Object.fromEntries(entries.flatMap(([type, names]) => names.split(/\s+/).map((name) => [name, type])));
}

export const ENUMS: Readonly<Record<string, readonly string[]>> = {
  Type: ["STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT", "NULL"],
  Mode: ["AUTO", "ANY", "NONE", "VALIDATED"],
  ThinkingLevel: ["MINIMAL", "LOW", "MEDIUM", "HIGH"],
};
