import { type Migration, makeTable, numbers, type TableShape, texts } from "./migration.ts";

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

const LIMIT_TURNS: TableShape = { columns: [...texts("keyId"), ...numbers("turns")], key: ["keyId"] };

const LIMIT_ENTRIES: TableShape = {
  columns: [...texts("keyId", "requestId"), ...numbers("expiresAtMs")],
  key: ["keyId", "requestId"],
};

const LIMIT_MINUTES: TableShape = {
  columns: [...texts("keyId"), ...numbers("minuteMs", "requests")],
  key: ["keyId", "minuteMs"],
};

const LIMIT_SPENDING: TableShape = {
  columns: [...texts("keyId"), ...numbers("dayMs", "usd")],
  key: ["keyId", "dayMs"],
};

const LEASES: TableShape = { columns: [...texts("name", "holder"), ...numbers("untilMs")], key: ["name"] };

const SIGN_INS: TableShape = { columns: [...texts("hash"), ...numbers("expiresAtMs")], key: ["hash"] };
