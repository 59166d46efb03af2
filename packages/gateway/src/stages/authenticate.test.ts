import { makeKey, type NewKey } from "@longhaul/admin";
import { makeBreakable } from "@longhaul/fit/testing";
import { openStore, type Store } from "@longhaul/store";
import { codecNamed } from "@longhaul/wire";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Snapshot } from "../configuration/snapshot.ts";
import { findEndpoint } from "../http/endpoints.ts";
import type { Access } from "../keys/open-access.ts";
import { makeNotebook } from "../record.ts";
import { makeAccess } from "../testing/access.ts";
import { ask } from "../testing/serve.ts";
import { makeSnapshot } from "../testing/snapshot.ts";
import { authenticate } from "./authenticate.ts";

describe("authenticate", () => {
  let store: Store;
  let access: Access;
  let made: NewKey;

  beforeEach(async () => {
    store = await openStore({ path: ":memory:", nowMs: () => 0 });
    made = makeKey({ name: "laptop", tenant: "team", context: { strategy: "smart" }, createdAtMs: 0 });
    await store.keys.create(made.stored);
    access = await makeAccess(store);
  });
  afterEach(async () => {
    await access.close();
    await store.close();
  });

  function snapshotOf(server: object = {}): Snapshot {
    return makeSnapshot({ server });
  }

  async function enter(headers: Readonly<Record<string, string>>, server: object = {}) {
    const endpoint = findEndpoint("POST", "/v1/messages") ?? expect.unreachable();
    const { note, notes } = makeNotebook();
    const readBody = () => expect.unreachable("the body is not read yet");
    const arrived = { id: "lh_1", endpoint, query: "?beta=true", headers, readBody };
    const known = await authenticate(arrived, { access, snapshot: snapshotOf(server), note });
    return { known, notes: notes() };
  }

  it("knows whose request it is, and takes the key out of it", async () => {
    const { known, notes } = await enter({ "x-api-key": made.key, accept: "x" });
    const identity = { tenant: "team", keyId: made.stored.id };
    expect(known).toMatchObject({
      id: "lh_1",
      endpoint: expect.objectContaining({ action: "generate" }),
      query: "?beta=true",
      headers: { accept: "x" },
      caller: { tenant: "team", key: { ...identity, name: "laptop", limits: {}, context: { strategy: "smart" } } },
    });
    expect(notes).toEqual({ identity });
  });

  it("leaves the client's own credential where the key has a header of its own", async () => {
    const { known } = await enter({ "x-longhaul-key": made.key, authorization: "Bearer sk-ant-1" });
    expect(known.headers).toEqual({ authorization: "Bearer sk-ant-1" });
  });

  it("keeps the idempotency keys of tenants apart, and those of one tenant the same", async () => {
    const other = makeKey({ name: "phone", tenant: "other", createdAtMs: 0 });
    await store.keys.create(other.stored);
    const sentBy = async (key: string) => {
      const { known } = await enter({ "x-api-key": key, "idempotency-key": "once" });
      return known.headers["idempotency-key"];
    };
    const [first, again, others] = [await sentBy(made.key), await sentBy(made.key), await sentBy(other.key)];
    expect(first).toBe(again);
    expect(new Set(["once", first, others]).size).toBe(3);
  });

  it("refuses no key, another's, an unknown and a revoked one, the latter two in the same words", async () => {
    const refusalOf = (headers: Readonly<Record<string, string>>) =>
      enter(headers).catch(({ code, message, status }) => ({ code, message, status }));
    const none = await refusalOf({});
    const vendors = await refusalOf({ authorization: "Bearer sk-ant-1" });
    const unknown = await refusalOf({ "x-api-key": makeKey({ name: "", createdAtMs: 0 }).key });
    const malformed = await refusalOf({ "x-longhaul-key": "' OR 1=1 --" });
    await store.keys.revoke(made.stored.id, 1);
    const revoked = await refusalOf({ "x-api-key": made.key });
    expect(none).toMatchObject({ code: "auth.missing", status: 401, message: expect.stringContaining("lh_") });
    expect(vendors).toEqual(none);
    expect(unknown).toMatchObject({
      code: "auth.missing",
      status: 401,
      message: expect.stringContaining("no such key"),
    });
    expect([malformed, revoked]).toEqual([unknown, unknown]);
  });

  it("refuses whatever else stands where a key may, in the same way", async () => {
    const shown = fc.oneof(
      fc.string(),
      fc.string({ unit: "binary" }),
      fc.string().map((text) => `${made.key}${text}x`),
    );
    const header = fc.constantFrom("authorization", "x-api-key", "x-goog-api-key", "x-longhaul-key");
    await fc.assert(
      fc.asyncProperty(header, shown, async (name, value) => {
        const isKey = /(?:^|[\s,])lh_[0-9A-Za-z]{43}(?:[\s,]|$)/.test(value) && name !== "x-longhaul-key";
        if (!isKey) await expect(enter({ [name]: value })).rejects.toMatchObject({ code: "auth.missing", status: 401 });
      }),
    );
  });

  it("asks for no key where the operator wants none, and still shows it to nobody", async () => {
    const { known, notes } = await enter({ "x-api-key": made.key, accept: "x" }, { keys: "off" });
    expect(known).toMatchObject({ headers: { accept: "x" } });
    expect([known.caller.key, known.caller.tenant, notes]).toEqual([undefined, "", {}]);
  });

  it("asks for no key on loopback while there is none, unless the operator says so", async () => {
    await access.close();
    await store.close();
    store = await openStore({ path: ":memory:", nowMs: () => 0 });
    access = await makeAccess(store);
    expect((await enter({})).known.caller.key).toBeUndefined();
    await expect(enter({}, { keys: "required" })).rejects.toMatchObject({ code: "auth.missing" });
    await expect(enter({}, { host: "0.0.0.0" })).rejects.toMatchObject({ code: "auth.missing" });
  });

  it("knows a key in use while the store is down, and can't tell of any other", async () => {
    const keys = makeBreakable(store.keys);
    await access.close();
    access = await makeAccess({ ...store, keys: keys.part });
    await enter({ "x-api-key": made.key });
    keys.breakIt("fails");
    expect((await enter({ "x-api-key": made.key })).known.caller.tenant).toBe("team");
    await expect(enter({ "x-api-key": makeKey({ name: "", createdAtMs: 0 }).key })).rejects.toMatchObject({
      code: "store.unavailable",
      status: 503,
    });
  });

  it.each([
    ["/v1/messages", "anthropic-messages"],
    ["/v1/messages/count_tokens", "anthropic-messages"],
    ["/v1/chat/completions", "openai-chat"],
    ["/v1/responses", "openai-responses"],
    ["/v1/embeddings", "openai-chat"],
    ["/v1beta/models/gemini-2.5-flash:generateContent", "gemini"],
  ])("refuses at %s in the words of %s", async (path, wire) => {
    const { status, text } = await ask(snapshotOf(), path, {}, { headers: { "x-api-key": "k" }, access });
    expect(status).toBe(401);
    expect(codecNamed(wire).decodeError(status, JSON.parse(text)).message).toContain("asks for one of its own keys");
  });

  it("refuses whoever wants a list of models, too", async () => {
    const asking = { method: "GET", headers: {}, access };
    for (const path of ["/v1/models", "/v1beta/models", "/v1/responses/resp_1"]) {
      expect((await ask(snapshotOf(), path, undefined, asking)).status).toBe(401);
    }
  });
});
