import { isJsonObject, type JsonObject, type WireId } from "@longhaul/conversation";
import { BETAS } from "@longhaul/models";
import { codecOf } from "@longhaul/wire";
import { betasIn } from "./beta-header.ts";

/** The edit that asks for compaction at a threshold. */
export const COMPACT_EDIT = "compact_20260112";

/** Whether an edit of `context_management` asks for compaction. */
export function isCompactEdit({ type }: JsonObject): boolean {
  return type === COMPACT_EDIT;
}

/** The entries of a body's `context_management.edits`; none where it is of another format. */
export function editsIn({ context_management: management }: JsonObject): readonly JsonObject[] {
  const edits = isJsonObject(management) ? management.edits : undefined;
  return Array.isArray(edits) ? edits.filter(isJsonObject) : [];
}

/** What tells whether a client handles compaction blocks. */
export interface ClientOfBlocks {
  /** The format that it speaks. */
  readonly wire: WireId;
  /** Its headers, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly edits: readonly JsonObject[];
}

/** Whether a client keeps compaction blocks and sends them back: it speaks the Messages API and asks for compaction itself. */
export function handlesBlocks({ wire, headers, edits }: ClientOfBlocks): boolean {
  if (codecOf(wire).traits.compaction !== "edit") return false;
  return edits.some(isCompactEdit) || betasIn(headers["anthropic-beta"]).some((beta) => COMPACTION_BETAS.has(beta));
}

const COMPACTION_BETAS: ReadonlySet<string> = new Set(
  ["compaction-threshold", "compaction-on-demand"].flatMap((feature) => Object.values(BETAS[feature] ?? {})),
);
