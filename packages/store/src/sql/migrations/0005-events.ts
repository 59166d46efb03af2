import { type Migration, makeTable, type TableShape } from "./migration.ts";

export const events: Migration = {
  name: "events",
  async run({ schema }) {
    await makeTable(schema, "requests", REQUESTS);
    await makeTable(schema, "condensations", CONDENSATIONS);
    await makeTable(schema, "sessions", SESSIONS);
    await makeTable(schema, "sessionHours", SESSION_HOURS);
    await makeTable(schema, "totals", TOTALS);
    const indexes = [
      ["requestsByTime", "requests", ["atMs", "id"]],
      ["requestsBySession", "requests", ["session", "atMs", "id"]],
      ["requestsByKey", "requests", ["keyId", "atMs", "id"]],
      ["condensationsByTime", "condensations", ["atMs", "id"]],
      ["condensationsBySession", "condensations", ["session", "atMs", "id"]],
      ["condensationsByRequest", "condensations", ["requestId"]],
      ["sessionHoursBySession", "sessionHours", ["session"]],
      ["sessionsByUse", "sessions", ["lastAtMs"]],
    ] as const;
    for (const [name, table, columns] of indexes)
      await schema
        .createIndex(name)
        .on(table)
        .columns([...columns])
        .execute();
  },
};

const REQUESTS: TableShape = {
  columns: {
    id: "text",
    atMs: "double precision",
    tenant: "text",
    keyId: "text",
    session: "text",
    wire: "text",
    action: "text",
    model: "text",
    sentAs: "text",
    upstream: "text",
    status: "double precision",
    errorCode: "text",
    isGone: "integer",
    ms: "double precision",
    firstByteMs: "double precision",
    addedMs: "double precision",
    attempts: "double precision",
    inputTokens: "double precision",
    cacheReadTokens: "double precision",
    cacheWriteTokens: "double precision",
    outputTokens: "double precision",
    reasoningTokens: "double precision",
    windowTokens: "double precision",
    originalTokens: "double precision",
    sentTokens: "double precision",
    strategy: "text",
    origin: "text",
    costUsd: "double precision",
    savedUsd: "double precision",
    hasFailed: "integer",
    warnings: "text",
    anatomy: "text",
  },
  key: ["id"],
};

const CONDENSATIONS: TableShape = {
  columns: {
    id: "text",
    requestId: "text",
    atMs: "double precision",
    tenant: "text",
    keyId: "text",
    session: "text",
    upstream: "text",
    model: "text",
    strategy: "text",
    tokensBefore: "double precision",
    tokensAfter: "double precision",
    costUsd: "double precision",
    estimatedUsd: "double precision",
    ms: "double precision",
    report: "text",
  },
  key: ["id"],
};

const SESSIONS: TableShape = {
  columns: {
    tenant: "text",
    session: "text",
    firstAtMs: "double precision",
    lastAtMs: "double precision",
    requests: "double precision",
    errors: "double precision",
    condensations: "double precision",
    costUsd: "double precision",
    savedUsd: "double precision",
    model: "text",
    upstream: "text",
    strategy: "text",
    windowTokens: "double precision",
    originalTokens: "double precision",
    sentTokens: "double precision",
  },
  key: ["session", "tenant"],
};

const SESSION_HOURS: TableShape = {
  columns: { atMs: "double precision", session: "text", tenant: "text", isOverWindow: "integer" },
  key: ["atMs", "session", "tenant"],
};

const TOTALS: TableShape = {
  columns: {
    bucket: "text",
    atMs: "double precision",
    tenant: "text",
    keyId: "text",
    upstream: "text",
    model: "text",
    strategy: "text",
    requests: "double precision",
    errors: "double precision",
    fallbacks: "double precision",
    overWindow: "double precision",
    inputTokens: "double precision",
    cacheReadTokens: "double precision",
    cacheWriteTokens: "double precision",
    outputTokens: "double precision",
    savedTokens: "double precision",
    costUsd: "double precision",
    savedUsd: "double precision",
    addedMs: "double precision",
    condensations: "double precision",
    condensingUsd: "double precision",
  },
  key: ["bucket", "atMs", "tenant", "keyId", "upstream", "model", "strategy"],
};
