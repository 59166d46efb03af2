/** What one check found. */
export interface Finding {
  /** What was looked at. */
  readonly what: string;
  /** `good`, worth knowing, or in the way. */
  readonly state: "good" | "note" | "bad";
  readonly says: string;
  /** What to do about it. */
  readonly remedy?: string;
}
