/** How large a request was, by our own count. */
export interface SizedNote {
  readonly session: string;
  /** The session that started it, if it is a sub-agent's. */
  readonly parent: string;
  readonly windowTokens: number;
  /** As it came, and as it was sent. */
  readonly originalTokens: number;
  readonly sentTokens: number;
  /** Where it was condensed just now: how much of it the vendor would have had cached if it had gone on as before. */
  readonly warmTokens: number;
  /** Tokens of what was sent, by what they are. */
  anatomy(): Readonly<Record<string, number>>;
}

/** How a request's context was made smaller. */
export interface CondensedNote {
  readonly originalTokens: number;
  readonly sentTokens: number;
  readonly strategy: string;
  /** For this request, or for an earlier one of its conversation. */
  readonly origin: "new" | "reused";
}
