/** What the client gets. */
export interface Outcome {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** All of it, or what comes as it comes. */
  readonly body: Uint8Array | AsyncIterable<Uint8Array>;
  /** Whether the body is a stream of events, into which a ping may be put where it pauses. */
  readonly isStream: boolean;
}

/** Headers of every answer but the admin's own: no browser guesses its type, runs it, or lets it act at the dashboard's origin. */
export const INERT_HEADERS = {
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; sandbox",
} as const;

/** An outcome of one JSON value. */
export function jsonOutcome(value: object, status = 200, headers: Outcome["headers"] = {}): Outcome {
  return spelledOutcome(JSON.stringify(value), status, headers);
}

/** An outcome of JSON that is written already. */
export function spelledOutcome(json: string, status: number, headers: Outcome["headers"] = {}): Outcome {
  const body = Buffer.from(json);
  return { status, headers: { "content-type": "application/json", ...headers }, body, isStream: false };
}
