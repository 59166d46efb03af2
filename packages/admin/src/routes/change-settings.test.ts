import { afterEach, beforeEach, expect, it } from "vitest";
import { type AdminServer, openAdminServer } from "../testing/admin-server.ts";
import { changeAsAdmin, needRestart } from "./change-settings.ts";

let server: AdminServer;
beforeEach(async () => {
  server = await openAdminServer();
});
afterEach(() => server.close());

it("changes a section and names the settings that need a restart", async () => {
  const entries = [{ path: "server", value: { port: 1, maxRequests: 7 } }];
  expect(await changeAsAdmin(server, { entries })).toEqual({ revision: 1, needRestart: ["server.port"] });
  expect(server.settings.layered.config.server).toMatchObject({ port: 1, maxRequests: 7 });
});

it("ignores unknown settings", () => {
  expect(needRestart(["server.host", "context.strategy", "nothing"])).toEqual(["server.host"]);
});
