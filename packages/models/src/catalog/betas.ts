import { table } from "@longhaul/conversation/advanced";
/** Platforms that run Claude. `mantle` is the Bedrock endpoint for Anthropic's own format. */
export type ClaudePlatform = "anthropic" | "vertex" | "bedrock" | "mantle" | "azure";

/** A feature: the value of its `anthropic-beta` header on each platform that supports it. */
type BetaRow = Readonly<Partial<Record<ClaudePlatform, string>>>;

const OVERVIEW = ["anthropic", "vertex", "bedrock", "mantle", "azure"] as const;
const FIRST_PARTY_AND_AZURE = ["anthropic", "azure"] as const;

/**
 * Beta features by platform. Anthropic also accepts betas that are not in this table. Other platforms reject a feature that is not listed,
 * so its header and its body fields must both be removed.
 * Sources: platform.claude.com "Features overview" (availability per platform), AWS Bedrock user guide "Anthropic Claude Messages API" (its
 * list of beta headers), platform.claude.com pages of individual features where noted.
 */
export const BETAS: Readonly<Record<string, BetaRow>> = table({
  "compaction-threshold": on("compact-2026-01-12", OVERVIEW),
  // platform.claude.com "Compaction": on demand is not available on Amazon Bedrock.
  "compaction-on-demand": on("compact-2026-09-04", ["anthropic", "vertex", "azure"]),
  "context-editing": on("context-management-2025-06-27", OVERVIEW),
  // platform.claude.com "Preserved thinking": only documented for the Claude API.
  "thinking-binding": on("thinking-binding-controls-2026-08-01", ["anthropic"]),
  "interleaved-thinking": on("interleaved-thinking-2025-05-14", OVERVIEW),
  "context-1m": on("context-1m-2025-08-07", OVERVIEW),
  "fine-grained-tool-streaming": on("fine-grained-tool-streaming-2025-05-14", OVERVIEW),
  "computer-use": on("computer-use-2025-11-24", OVERVIEW),
  // AWS "Structured outputs": not on the Mantle endpoint.
  "structured-outputs": on("structured-outputs-2025-11-13", ["anthropic", "bedrock", "azure"]),
  "advanced-tool-use": on("advanced-tool-use-2025-11-20", FIRST_PARTY_AND_AZURE),
  // AWS: InvokeModel only, not Converse.
  "tool-search": on("tool-search-tool-2025-10-19", ["anthropic", "vertex", "mantle", "azure"]),
  "tool-examples": on("tool-examples-2025-10-29", ["anthropic", "bedrock", "mantle", "azure"]),
  // platform.claude.com "MCP connector": not on Bedrock and Vertex.
  mcp: on("mcp-client-2025-11-20", FIRST_PARTY_AND_AZURE),
  files: on("files-api-2025-04-14", FIRST_PARTY_AND_AZURE),
  skills: on("skills-2025-10-02", FIRST_PARTY_AND_AZURE),
  "prompt-caching-scope": on("prompt-caching-scope-2026-01-05", FIRST_PARTY_AND_AZURE),
  "redact-thinking": on("redact-thinking-2026-02-12", FIRST_PARTY_AND_AZURE),
  "fast-mode": on("fast-mode-2026-02-01", ["anthropic"]),
  "task-budgets": on("task-budgets-2026-03-13", ["anthropic"]),
  advisor: on("advisor-tool-2026-03-01", ["anthropic"]),
  "cache-diagnosis": on("cache-diagnosis-2026-04-07", ["anthropic"]),
  "server-side-fallback": on("server-side-fallback-2026-06-01", ["anthropic"]),
  // AWS uses a different date for the same feature.
  "fallback-credit": {
    ...on("fallback-credit-2026-06-01", ["anthropic", "vertex", "azure"]),
    ...on("fallback-credit-2026-06-09", ["bedrock", "mantle"]),
  },
  "mid-conversation-tools": on("mid-conversation-tool-changes-2026-07-01", ["anthropic", "mantle"]),
  // Sent by Claude Code 2.1 to the Claude API; no other platform documents them.
  "mid-conversation-system": on("mid-conversation-system-2026-04-07", ["anthropic"]),
  "per-turn-control": on("per-turn-control-2026-07-01", ["anthropic"]),
  "thinking-token-count": on("thinking-token-count-2026-05-13", ["anthropic"]),
});

/** Returns the header value of each feature on a platform. */
export function betasOn(platform: ClaudePlatform): Readonly<Record<string, string>> {
  const entries = Object.entries(BETAS).flatMap(([feature, row]) => {
    const value = row[platform];
    return value === undefined ? [] : [[feature, value] as const];
  });
  return Object.fromEntries(entries);
}

function on(value: string, platforms: readonly ClaudePlatform[]): BetaRow {
  return Object.fromEntries(platforms.map((platform) => [platform, value]));
}
