import { type Migration, makeTable, type TableShape } from "./migration.ts";

/** Shared by the gateways on one database. */
export const limitsLeasesSignIns: Migration = {
  name: "limits, leases, sign-ins",
  async run({ schema }) {
    await makeTable(schema, "limitTurns", LIMIT_TURNS);
    await makeTable(schema, "limitEntries", LIMIT_ENTRIES);
    await makeTable(schema, "limitMinutes", LIMIT_MINUTES);
    await makeTable(schema, "limitSpending", LIMIT_SPENDING);
    await makeTable(schema, "leases", LEASES);
    await makeTable(schema, "signIns", SIGN_INS);
  },
};

const LIMIT_TURNS: TableShape = { columns: { keyId: "text", turns: "double precision" }, key: ["keyId"] };

const LIMIT_ENTRIES: TableShape = {
  columns: { keyId: "text", requestId: "text", expiresAtMs: "double precision" },
  key: ["keyId", "requestId"],
};

const LIMIT_MINUTES: TableShape = {
  columns: { keyId: "text", minuteMs: "double precision", requests: "double precision" },
  key: ["keyId", "minuteMs"],
};

const LIMIT_SPENDING: TableShape = {
  columns: { keyId: "text", dayMs: "double precision", usd: "double precision" },
  key: ["keyId", "dayMs"],
};

const LEASES: TableShape = { columns: { name: "text", holder: "text", untilMs: "double precision" }, key: ["name"] };

const SIGN_INS: TableShape = { columns: { hash: "text", expiresAtMs: "double precision" }, key: ["hash"] };
