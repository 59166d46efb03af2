import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, table } from "@longhaul/conversation";
import { editsIn } from "./client-compaction.ts";

/** What a beta brings into a request's body. */
interface BetaFields {
  /** From the body inwards; `*` stands for every entry of a list. */
  readonly paths?: readonly (readonly string[])[];
  /** The entries of `context_management.edits`, by the beginning of their type. */
  readonly edits?: string;
}

/**
 * The fields that go with a beta, by its name, with or without its date; a beta that is not here has none. Those of compaction, context
 * editing, thinking binding, fast mode and fallbacks are told by the types of Anthropic's SDK; the others are matched by the names of beta
 * and field, and only matter where an operator blocks that beta.
 */
const FIELDS: Readonly<Record<string, BetaFields>> = table({
  "context-management": { edits: "clear_" },
  "compact-2026-01-12": { edits: "compact_" },
  "compact-2026-09-04": { paths: [["compaction"]] },
  "thinking-binding-controls": { paths: [["thinking", "block_binding"]] },
  "structured-outputs": { paths: [["output_format"], ["output_config", "format"], ["tools", "*", "strict"]] },
  effort: { paths: [["output_config", "effort"]] },
  "task-budgets": { paths: [["output_config", "task_budget"]] },
  "mid-conversation-output-config": { paths: [["messages", "*", "output_config"]] },
  "mid-conversation-system-clear-at": { paths: [["messages", "*", "clear_at"]] },
  "mcp-client": { paths: [["mcp_servers"]] },
  skills: { paths: [["container", "skills"]] },
  "fast-mode": { paths: [["speed"]] },
  "server-side-fallback": { paths: [["fallbacks"]] },
  "fallback-credit": { paths: [["fallback_credit_token"]] },
  "cache-diagnosis": { paths: [["diagnostics"]] },
  "message-threads": { paths: [["thread"]] },
  "user-profiles": { paths: [["user_profile_id"]] },
  "advanced-tool-use": {
    paths: [toolField("defer_loading"), toolField("input_examples"), toolField("allowed_callers")],
  },
  "tool-examples": { paths: [toolField("input_examples")] },
  "tool-search-tool": { paths: [toolField("defer_loading")] },
  "fine-grained-tool-streaming": { paths: [toolField("eager_input_streaming")] },
  "extended-cache-ttl": { paths: cacheMarks("ttl") },
  "prompt-caching-scope": { paths: cacheMarks("scope") },
});

function toolField(name: string): readonly string[] {
  return ["tools", "*", name];
}

function cacheMarks(field: string): readonly (readonly string[])[] {
  const owners = [[], ["system", "*"], ["tools", "*"], ["messages", "*", "content", "*"]];
  return owners.map((owner) => [...owner, "cache_control", field]);
}

/** A body without the fields of these betas; the identical object where it has none of them. */
export function withoutBetaFields(body: JsonObject, betas: readonly string[]): JsonObject {
  return betas.map(fieldsOf).reduce((rest, { paths = [], edits }) => {
    const kept = edits === undefined ? rest : withoutEdits(rest, edits);
    return paths.reduce(withoutPath, kept);
  }, body);
}

/** Whether any of these betas has fields at all. */
export function hasBetaFields(betas: readonly string[]): boolean {
  return betas.some((beta) => fieldsOf(beta) !== NO_FIELDS);
}

const NO_FIELDS: BetaFields = {};

const DATE = /-\d{4}-\d{2}-\d{2}$/;

function fieldsOf(beta: string): BetaFields {
  return FIELDS[beta] ?? FIELDS[beta.replace(DATE, "")] ?? NO_FIELDS;
}

function withoutEdits(body: JsonObject, start: string): JsonObject {
  const { context_management: management, ...rest } = body;
  const edits = editsIn(body);
  const kept = edits.filter(({ type }) => typeof type !== "string" || !type.startsWith(start));
  if (!isJsonObject(management) || kept.length === edits.length) return body;
  return kept.length === 0 ? rest : { ...body, context_management: { ...management, edits: kept } };
}

function withoutPath(body: JsonObject, path: readonly string[]): JsonObject {
  const rest = withoutField(body, path);
  return isJsonObject(rest) ? rest : {};
}

/** A value without what a path leads to; nothing where nothing else was in it. */
function withoutField(value: JsonValue, [name = "", ...inner]: readonly string[]): JsonValue | undefined {
  if (name === "*") return isJsonArray(value) ? withoutInEach(value, inner) : value;
  if (!isJsonObject(value)) return value;
  const { [name]: field, ...rest } = value;
  if (field === undefined) return value;
  const kept = inner.length === 0 ? undefined : withoutField(field, inner);
  if (kept === field) return value;
  if (kept !== undefined) return { ...value, [name]: kept };
  return Object.keys(rest).length === 0 ? undefined : rest;
}

function withoutInEach(values: readonly JsonValue[], path: readonly string[]): readonly JsonValue[] {
  const kept = values.map((value) => {
    const rest = withoutField(value, path);
    return rest === undefined ? {} : rest;
  });
  return kept.every((value, index) => value === values[index]) ? values : kept;
}
