/** Marks a setting that is never shown, exported or written into history. JSON Schema's own word for it. */
export const SECRET = { writeOnly: true } as const;

/** Marks a setting that is read once, when the gateway starts. */
export const AT_START = { "x-at-start": true } as const;

/** Marks a setting that is never kept in the store. */
export const OUTSIDE_STORE = { "x-not-stored": true } as const;

/** Marks a setting that is read before the store is opened, and so cannot be kept there. */
export const NOT_STORED = { ...OUTSIDE_STORE, ...AT_START } as const;
