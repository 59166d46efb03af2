export interface Finding {
  readonly what: string;
  /** `good`: as it should be; `note`: worth knowing; `bad`: a fault. */
  readonly state: "good" | "note" | "bad";
  readonly says: string;
  readonly remedy?: string;
}

export function good(what: string, says: string): Finding {
  return { what, state: "good", says };
}

export function note(what: string, says: string, remedy?: string): Finding {
  return { what, state: "note", says, ...(remedy !== undefined && { remedy }) };
}

export function bad(what: string, says: string, remedy: string): Finding {
  return { what, state: "bad", says, remedy };
}
