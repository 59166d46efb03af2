export interface Finding {
  readonly what: string;
  /** `good`: as it should be; `note`: worth knowing; `bad`: a fault. */
  readonly state: "good" | "note" | "bad";
  readonly message: string;
  readonly remedy?: string;
}

export function good(what: string, message: string): Finding {
  return { what, state: "good", message };
}

export function note(what: string, message: string, remedy?: string): Finding {
  return { what, state: "note", message, ...(remedy !== undefined && { remedy }) };
}

export function bad(what: string, message: string, remedy: string): Finding {
  return { what, state: "bad", message, remedy };
}
