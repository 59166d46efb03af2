/** The observations of one client run. */
export interface Observation {
  /** Null if it was stopped because it took too long. */
  readonly exitCode: number | null;
  /** The end of its output. */
  readonly printed: string;
  /** Its requests at the gateway, oldest first. */
  readonly requests: readonly SeenRequest[];
  readonly condensations: number;
  /** Its sessions, most recently used first. */
  readonly sessions: readonly SeenSession[];
  /** Lines of the client's files that are in the database. */
  readonly stored: readonly string[];
}

/** A session, and the session that started it. */
interface SeenSession {
  readonly session: string;
  readonly parent: string;
}

/** A request in the gateway's store. */
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

/** Counts how often a client's prompt shrank much from one request to the next, because its history was compacted. */
export function compactionsIn(requests: readonly SeenRequest[]): number {
  const sizes = requests.map(({ originalTokens }) => originalTokens);
  return sizes.filter((size, index) => size < (sizes[index - 1] ?? 0) * SHRUNK_SHARE).length;
}

const SHRUNK_SHARE = 0.7;
