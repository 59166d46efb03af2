import { integers, type Migration, makeTable, numbers, type TableShape, texts } from "./migration.ts";

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
  columns: [
    ...texts("id"),
    ...numbers("atMs"),
    ...texts("tenant", "keyId", "session", "wire", "action", "model", "sentAs", "upstream"),
    ...numbers("status"),
    ...texts("errorCode"),
    ...integers("isGone"),
    ...numbers("ms", "firstByteMs", "addedMs", "attempts"),
    ...numbers("inputTokens", "cacheReadTokens", "cacheWriteTokens", "outputTokens", "reasoningTokens"),
    ...numbers("windowTokens", "originalTokens", "sentTokens"),
    ...texts("strategy", "origin"),
    ...numbers("costUsd", "savedUsd"),
    ...integers("hasFailed"),
    ...texts("warnings", "anatomy"),
  ],
  key: ["id"],
};

const CONDENSATIONS: TableShape = {
  columns: [
    ...texts("id", "requestId"),
    ...numbers("atMs"),
    ...texts("tenant", "keyId", "session", "upstream", "model", "strategy"),
    ...numbers("tokensBefore", "tokensAfter", "costUsd", "estimatedUsd", "ms"),
    ...texts("report"),
  ],
  key: ["id"],
};

const SESSIONS: TableShape = {
  columns: [
    ...texts("tenant", "session"),
    ...numbers("firstAtMs", "lastAtMs", "requests", "errors", "condensations", "costUsd", "savedUsd"),
    ...texts("model", "upstream", "strategy"),
    ...numbers("windowTokens", "originalTokens", "sentTokens"),
  ],
  key: ["session", "tenant"],
};

const SESSION_HOURS: TableShape = {
  columns: [...numbers("atMs"), ...texts("session", "tenant"), ...integers("isOverWindow")],
  key: ["atMs", "session", "tenant"],
};

const TOTALS: TableShape = {
  columns: [
    ...texts("bucket"),
    ...numbers("atMs"),
    ...texts("tenant", "keyId", "upstream", "model", "strategy"),
    ...numbers("requests", "errors", "fallbacks", "overWindow"),
    ...numbers("inputTokens", "cacheReadTokens", "cacheWriteTokens", "outputTokens", "savedTokens"),
    ...numbers("costUsd", "savedUsd", "addedMs", "condensations", "condensingUsd"),
  ],
  key: ["bucket", "atMs", "tenant", "keyId", "upstream", "model", "strategy"],
};
