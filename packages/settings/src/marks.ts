/** Marks a setting that is never shown, exported or written into history. JSON Schema's own word for it. */
export const SECRET = { writeOnly: true } as const;

/** Marks a setting that is read once, when the gateway starts. */
export const AT_START = { "x-at-start": true } as const;

/** Marks a setting that is read before the store is opened, and so cannot be kept there. */
export const NOT_STORED = { "x-not-stored": true, ...AT_START } as const;
