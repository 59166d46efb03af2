import { integers, type Migration, makeTable, numbers, type TableShape, texts } from "./migration.ts";

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
  columns: [
    ...texts("scope", "prefix"),
    ...integers("version", "isStandIn", "from", "messages"),
    ...numbers("usedAtMs", "madeAtMs", "tokensBefore", "tokensAfter", "targetTokens", "costUsd"),
    ...texts("tenant", "session", "upstream", "model", "strategy", "projection"),
  ],
  key: ["scope", "prefix"],
};

const WINDOWS: TableShape = {
  columns: [...texts("upstream", "credential", "model"), ...numbers("windowTokens", "learnedAtMs")],
  key: ["upstream", "credential", "model"],
};

const CALIBRATIONS: TableShape = {
  columns: [...texts("upstream", "model", "state")],
  key: ["upstream", "model"],
};
