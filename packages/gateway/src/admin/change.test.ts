import { afterEach, beforeEach, expect, it } from "vitest";
import { type Gateway, openGateway } from "../server.ts";
import { changedBy, needRestart } from "./change.ts";

let gateway: Gateway;
beforeEach(async () => {
  gateway = await openGateway({ file: { server: { port: 0 } } });
});
afterEach(() => gateway.close());

it("changes sections and says what of them needs a restart", async () => {
  const entries = [{ path: "server", value: { port: 1, maxRequests: 7 } }];
  expect(await changedBy(gateway, { entries })).toEqual({ revision: 1, needRestart: ["server.port"] });
  expect(gateway.settings.layered.config.server).toMatchObject({ port: 1, maxRequests: 7 });
});

it("needs no restart for what it does not know", () => {
  expect(needRestart(["server.host", "context.strategy", "nothing"])).toEqual(["server.host"]);
});
