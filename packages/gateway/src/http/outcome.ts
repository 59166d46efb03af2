/** What the client gets. */
export interface Outcome {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array>;
  /** Whether the body is a stream of events, into which a ping may be put where it pauses. */
  readonly isStream: boolean;
}
