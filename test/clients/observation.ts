/** What was seen while a client ran. */
export interface Observation {
  /** Nothing where it was stopped because it took too long. */
  readonly exitCode: number | null;
  /** The end of what it printed. */
  readonly printed: string;
  /** Its requests at the gateway, oldest first. */
  readonly requests: readonly SeenRequest[];
  readonly condensations: number;
  /** Lines of the client's that stand in the database. */
  readonly stored: readonly string[];
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
