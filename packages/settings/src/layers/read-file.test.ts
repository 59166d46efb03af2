import { describe, expect, it } from "vitest";
import { readFile } from "./read-file.ts";

describe("readFile", () => {
  it("fills in variables and spells numbers and switches out, where those are wanted", () => {
    const file = { server: { port: "${PORT}" }, log: { tokens: "${COUNT:-true}" }, store: { path: "${PORT}" } };
    expect(readFile(file, { PORT: "80" })).toEqual({
      value: { server: { port: 80 }, log: { tokens: true }, store: { path: "80" } },
      missing: [],
      changes: [],
    });
  });

  it("leaves what was written out as it is", () => {
    expect(readFile({ server: { port: "80" } }, {}).value).toEqual({ server: { port: "80" } });
  });

  it("does not mind the name of the schema", () => {
    expect(readFile({ $schema: "x", log: {} }, {}).value).toEqual({ log: {} });
    expect(readFile(null, {}).value).toEqual({});
  });

  it("tells what it read otherwise, and what is not set", () => {
    const file = { context: { config: { startShare: "${SHARE}" } } };
    expect(readFile(file, {})).toMatchObject({
      missing: [{ path: "context.strategies.middle-out.startShare", name: "SHARE" }],
      changes: [expect.stringContaining("context.config")],
    });
  });
});
