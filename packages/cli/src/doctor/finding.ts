/** The result of one check. */
export interface Finding {
  /** The thing that was checked. */
  readonly what: string;
  /** `good`: as it should be; `note`: worth knowing; `bad`: a fault. */
  readonly state: "good" | "note" | "bad";
  readonly says: string;
  /** How to fix it. */
  readonly remedy?: string;
}
