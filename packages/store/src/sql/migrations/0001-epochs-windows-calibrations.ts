import { type Migration, makeTable, type TableShape } from "./migration.ts";

export const epochsWindowsCalibrations: Migration = {
  name: "epochs, windows, calibrations",
  async run({ schema }) {
    await makeTable(schema, "epochs", EPOCHS);
    await schema.createIndex("epochsBySession").on("epochs").column("session").execute();
    await makeTable(schema, "windows", WINDOWS);
    await makeTable(schema, "calibrations", CALIBRATIONS);
  },
};

const EPOCHS: TableShape = {
  columns: {
    scope: "text",
    prefix: "text",
    version: "integer",
    isStandIn: "integer",
    from: "integer",
    messages: "integer",
    usedAtMs: "double precision",
    madeAtMs: "double precision",
    tokensBefore: "double precision",
    tokensAfter: "double precision",
    targetTokens: "double precision",
    costUsd: "double precision",
    tenant: "text",
    session: "text",
    upstream: "text",
    model: "text",
    strategy: "text",
    projection: "text",
  },
  key: ["scope", "prefix"],
};

const WINDOWS: TableShape = {
  columns: {
    upstream: "text",
    credential: "text",
    model: "text",
    windowTokens: "double precision",
    learnedAtMs: "double precision",
  },
  key: ["upstream", "credential", "model"],
};

const CALIBRATIONS: TableShape = {
  columns: { upstream: "text", model: "text", state: "text" },
  key: ["upstream", "model"],
};
