import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type LonghaulError,
  table,
  type WireId,
} from "@longhaul/conversation/advanced";
import { BETAS } from "@longhaul/models/advanced";
import type { Outgoing, Upstream } from "@longhaul/upstream";
import { codecOf, parseJson } from "@longhaul/wire";
import { setField, spliceBytes, splitScanned } from "../request/body-bytes.ts";

/** Changes to a request's betas before it goes to an upstream with the Messages format. */
export interface BetaChange {
  /** The complete `context_management.edits`, if they change. */
  readonly edits?: readonly JsonObject[];
  readonly add: readonly string[];
  /** Removed together with their fields in the body. */
  readonly remove: readonly string[];
}

/** Changes a request's betas and edits. Returns the identical object if nothing changes; unaffected bytes stay the same. */
export function withBetas(outgoing: Outgoing, { edits, add, remove }: BetaChange): Outgoing {
  const { "anthropic-beta": before, ...others } = outgoing.headers;
  const after = betaHeader(before, add, remove);
  const body = changedBody(outgoing.body, edits, remove);
  const isSameHeader = after === betaHeader(before, []);
  if (isSameHeader && body === outgoing.body) return outgoing;
  const headers = isSameHeader ? outgoing.headers : { ...others, ...(after && { "anthropic-beta": after }) };
  return { ...outgoing, headers, ...(body && { body }) };
}

function changedBody(body: Uint8Array | undefined, edits: BetaChange["edits"], remove: readonly string[]) {
  if (body === undefined) return undefined;
  const edited = edits === undefined ? body : withEdits(body, edits);
  if (remove.every((beta) => fieldsOf(beta) === NO_FIELDS)) return edited;
  const value = parse(edited);
  const rest = withoutBetaFields(value, remove);
  return rest === value ? edited : Buffer.from(JSON.stringify(rest));
}

const LIST = "messages";
const FIELD = "context_management";

/** Writes the edits into the bytes: in place of the client's own, or at the start. */
function withEdits(body: Uint8Array, edits: readonly JsonObject[]): Uint8Array {
  const fields = splitScanned(body, LIST)?.fields;
  if (fields === undefined) {
    const value = parse(body);
    return Buffer.from(JSON.stringify({ ...value, [FIELD]: managementWith(value[FIELD], edits) }));
  }
  const span = fields.get(FIELD);
  const given = span && parse(body.subarray(span.from, span.to));
  return spliceBytes(body, [setField(body, { fields }, [FIELD, managementWith(given, edits)])]);
}

function managementWith(given: unknown, edits: readonly JsonObject[]): JsonObject {
  return { ...(isJsonObject(given) ? given : {}), edits };
}

function parse(body: Uint8Array): JsonObject {
  const value = parseJson(body);
  return isJsonObject(value) ? value : {};
}

/** Returns the values of an `anthropic-beta` header in order, each once. */
export function betasIn(header: string | undefined): readonly string[] {
  const values = (header ?? "").split(",").map((value) => value.trim());
  return [...new Set(values)].filter((value) => value !== "");
}

/**
 * Returns the `anthropic-beta` header for the upstream: the client's values without the removed ones, followed by the added ones. Removing
 * wins over adding. Undefined if no value is left.
 */
export function betaHeader(
  client: string | undefined,
  add: readonly string[],
  remove: readonly string[] = [],
): string | undefined {
  const kept = betasIn([client ?? "", ...add].join(",")).filter((beta) => !remove.includes(beta));
  return kept.length === 0 ? undefined : kept.join(",");
}

interface BetaFields {
  /** From the body inwards; `*` matches every entry of a list. */
  readonly paths?: readonly (readonly string[])[];
  /** Prefix of the types of its `context_management.edits`. */
  readonly edits?: string;
}

/**
 * Fields by beta, with or without its date; other betas have none. Those of compaction, context editing, thinking binding, fast mode and
 * fallbacks come from the types of Anthropic's SDK. The others are matched by name, and only matter if an operator blocks that beta.
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

/** Removes the fields of these betas. Returns the identical body if it has none of them. */
export function withoutBetaFields(body: JsonObject, betas: readonly string[]): JsonObject {
  return betas.map(fieldsOf).reduce((rest, { paths = [], edits }) => {
    const kept = edits === undefined ? rest : withoutEdits(rest, edits);
    return paths.reduce(withoutPath, kept);
  }, body);
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

/** Removes the value at a path. Returns undefined if nothing else is left. */
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

const LONG_CONTEXT = "context-1m-2025-08-07";

/** The models' window without the beta. */
const SHORT_WINDOW_TOKENS = 200_000;

/**
 * Returns the betas that a request to an upstream must not have: those that its credential cannot use, and the million-token window if the
 * window is set to the short one or the beta was refused before.
 */
export function removedBetas(
  { blockedBetas = [], windowTokens }: Pick<Upstream, "blockedBetas" | "windowTokens">,
  isLongContextRefused = false,
): readonly string[] {
  const isShort = windowTokens !== undefined && windowTokens <= SHORT_WINDOW_TOKENS;
  return isShort || isLongContextRefused ? [...new Set([...blockedBetas, LONG_CONTEXT])] : blockedBetas;
}

/**
 * Refusals of the million-token beta itself, for prompts of any size: a 400 for credentials without access, a 429 for plans that would have
 * to pay extra (anthropics/claude-code#27944 and #42616).
 */
const REFUSALS: readonly { readonly status: number; readonly words: RegExp }[] = [
  { status: 400, words: /\blong context beta is not (?:yet )?available\b/i },
  { status: 429, words: /\bextra usage is required for long context requests\b/i },
];

/** Returns whether an upstream refused the million-token beta, so that the same request may succeed without it. */
export function isLongContextRefusal({ status, message }: LonghaulError): boolean {
  return REFUSALS.some((refusal) => refusal.status === status && refusal.words.test(message));
}

/** Refusals of the beta for compaction on demand or of its field, as opposed to a conversation that cannot be compacted. */
const ON_DEMAND_REFUSAL = /\banthropic-beta\b|\bcompact-2026-09-04\b|^compaction: Extra inputs are not permitted/i;

/** Returns whether an upstream refused compaction on demand itself, so that it would refuse it for every conversation. */
export function isOnDemandRefusal({ status, message }: LonghaulError): boolean {
  return (status === 400 || status === 403) && ON_DEMAND_REFUSAL.test(message);
}

/** The edit that requests compaction at a threshold. */
export const COMPACT_EDIT = "compact_20260112";

export function isCompactEdit({ type }: JsonObject): boolean {
  return type === COMPACT_EDIT;
}

/** Returns the entries of a body's `context_management.edits`; none for other formats. */
export function editsIn({ context_management: management }: JsonObject): readonly JsonObject[] {
  const edits = isJsonObject(management) ? management.edits : undefined;
  return Array.isArray(edits) ? edits.filter(isJsonObject) : [];
}

/** The facts that decide whether a client handles compaction blocks. */
export interface BlockClient {
  readonly wire: WireId;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly edits: readonly JsonObject[];
}

/** Returns whether a client keeps compaction blocks and sends them back: it uses the Messages API and requests compaction itself. */
export function handlesBlocks({ wire, headers, edits }: BlockClient): boolean {
  if (codecOf(wire).traits.compaction !== "edit") return false;
  return edits.some(isCompactEdit) || betasIn(headers["anthropic-beta"]).some((beta) => COMPACTION_BETAS.has(beta));
}

const COMPACTION_BETAS: ReadonlySet<string> = new Set(
  ["compaction-threshold", "compaction-on-demand"].flatMap((feature) => Object.values(BETAS[feature] ?? {})),
);
