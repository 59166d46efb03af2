/** Marks a setting that is never shown, exported or written to the history, with JSON Schema's own keyword. */
export const SECRET = { writeOnly: true } as const;

/** Marks a setting that is read only at startup. */
export const AT_START = { "x-at-start": true } as const;

/** Marks a setting that cannot be stored. */
export const OUTSIDE_STORE = { "x-not-stored": true } as const;

/** Marks a setting that is read before the store is opened. */
export const NOT_STORED = { ...OUTSIDE_STORE, ...AT_START } as const;
