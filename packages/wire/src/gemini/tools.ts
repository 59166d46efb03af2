import { isJsonObject, type JsonObject, type JsonValue, type Tool } from "@longhaul/conversation";
import type { Audience } from "../codec/target.ts";
import { given } from "../fields/given.ts";
import { extraOf, filledString, readList, readObject, readString } from "../fields/read.ts";
import { sameValue } from "../fields/same-value.ts";
import { WIRE } from "./rules.ts";
import { jsonSchemaOf } from "./schema.ts";
import { camelFields } from "./spelling.ts";

/** Reads the `tools` of a request: each entry holds any number of functions, and tools that run at Google. */
export function decodeTools(tools: JsonValue | undefined): readonly Tool[] {
  if (tools === undefined || tools === null) return [];
  return readList(tools, "tools").flatMap((entry, index) => decodeEntry(entry, `tools[${index}]`));
}

function decodeEntry(value: JsonValue, path: string): readonly Tool[] {
  return Object.entries(camelFields(readObject(value, path))).flatMap(([field, inner]) => {
    if (field !== "functionDeclarations") return [serverTool(field, inner)];
    return readList(inner, `${path}.functionDeclarations`).map((declaration, index) =>
      decodeFunction(declaration, `${path}.functionDeclarations[${index}]`),
    );
  });
}

function serverTool(name: string, value: JsonValue): Tool {
  return { name, kind: "server", native: { wire: WIRE, value: { [name]: value } } };
}

function decodeFunction(value: JsonValue, path: string): Tool {
  const declaration = camelFields(readObject(value, path));
  return given({
    name: readString(declaration.name, `${path}.name`),
    kind: "function" as const,
    description: filledString(declaration.description),
    inputSchema: decodeSchema(declaration),
    native: { wire: WIRE, value },
    extra: extraOf(declaration, FUNCTION_FIELDS),
  });
}

const FUNCTION_FIELDS: ReadonlySet<string> = new Set(["name", "description", "parameters", "parametersJsonSchema"]);

function decodeSchema({ parametersJsonSchema, parameters }: JsonObject): JsonObject | undefined {
  if (isJsonObject(parametersJsonSchema)) return parametersJsonSchema;
  return isJsonObject(parameters) ? jsonSchemaOf(parameters) : undefined;
}

/** Writes tools; where nobody changed any, in the entries that the client put them in. */
export function encodeTools(tools: readonly Tool[], own: JsonValue | undefined, audience: Audience): JsonValue {
  if (own !== undefined && isUnchanged(tools, own)) return own;
  const functions = tools.filter(({ kind }) => kind !== "server").map((tool) => encodeFunction(tool, audience));
  const servers = tools.flatMap(({ kind, native }) =>
    kind === "server" && native !== undefined ? [native.value] : [],
  );
  return [...(functions.length === 0 ? [] : [{ functionDeclarations: functions }]), ...servers];
}

function isUnchanged(tools: readonly Tool[], own: JsonValue): boolean {
  const before = decodeTools(own);
  return before.length === tools.length && before.every(({ native }, index) => sameValue(native, tools[index]?.native));
}

function encodeFunction(tool: Tool, audience: Audience): JsonValue {
  if (tool.native?.wire === WIRE) return tool.native.value;
  const { name, description, inputSchema } = tool;
  // The older field takes only a part of OpenAPI's schemas and refuses what agents really send.
  const fields = given({ description, parametersJsonSchema: inputSchema && objectSchema(inputSchema) });
  return { name, ...fields, ...(audience.extras ? tool.extra : undefined) };
}

/** The format demands that every schema says it is an object's. */
function objectSchema(schema: JsonObject): JsonObject {
  return schema.type === "object" ? schema : { ...schema, type: "object" };
}
