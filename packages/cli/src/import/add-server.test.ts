import { expect, it } from "vitest";
import { addServer } from "./add-server.ts";
import { openDraft } from "./draft.ts";

it.each([
  [
    { host: "10.0.0.1", port: 8_082, level: "WARNING" },
    { server: { host: "10.0.0.1", port: 8_082 }, log: { level: "warn" } },
  ],
  [{ host: "", port: Number.NaN, level: "debug" }, { log: { level: "debug" } }],
  [{ host: "", port: 0, level: "" }, {}],
])("takes %j over", (server, config) => {
  const draft = openDraft();
  addServer(server, draft);
  expect(draft.finish()).toMatchObject({ notes: [] });
  expect(draft.finish().config).toEqual({ version: 2, upstreams: {}, routes: [], ...config });
});

it("lets nobody in without a key", () => {
  const draft = openDraft();
  addServer({ host: "0.0.0.0", port: 0, level: "" }, draft);
  expect(draft.finish()).toMatchObject({ notes: [expect.stringContaining("longhaul keys create")] });
  expect(draft.finish().config).not.toHaveProperty("server");
});
