/** What was seen while a client ran. */
export interface Observation {
  /** Nothing where it was stopped because it took too long. */
  readonly exitCode: number | null;
  /** The end of what it printed. */
  readonly printed: string;
  /** Its requests at the gateway, oldest first. */
  readonly requests: readonly SeenRequest[];
  readonly condensations: number;
  /** Its sessions, the latest used first. */
  readonly sessions: readonly SeenSession[];
  /** Lines of the client's that stand in the database. */
  readonly stored: readonly string[];
}

/** One session, and the session that started it. */
interface SeenSession {
  readonly session: string;
  readonly parent: string;
}

/** One request, as the gateway's store tells it. */
export interface SeenRequest {
  readonly wire: string;
  readonly model: string;
  readonly status: number;
  readonly errorCode: string;
  readonly origin: string;
  readonly originalTokens: number;
  readonly sentTokens: number;
  readonly windowTokens: number;
}

/** How often a client's prompt became much shorter from one request to the next: it had its history compacted. */
export function compactionsIn(requests: readonly SeenRequest[]): number {
  const sizes = requests.map(({ originalTokens }) => originalTokens);
  return sizes.filter((size, index) => size < (sizes[index - 1] ?? 0) * SHRUNK_SHARE).length;
}

const SHRUNK_SHARE = 0.7;
