import { makeKey, type NewKey } from "@longhaul/admin";
import { makeBreakable } from "@longhaul/fit/testing";
import { openStore, type Store } from "@longhaul/store";
import { codecNamed } from "@longhaul/wire";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Snapshot } from "../configuration/snapshot.ts";
import type { Access } from "../keys/access.ts";
import { findEndpoint } from "../request/endpoints.ts";
import { openRecord } from "../request/request-record.ts";
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
    const record = openRecord("lh_1");
    const readBody = () => expect.unreachable("the body must not be read");
    const arrived = { id: "lh_1", endpoint, query: "?beta=true", headers, readBody };
    const request = await authenticate(arrived, { access, snapshot: snapshotOf(server), record });
    return { request, identity: record.identity };
  }

  it("identifies the caller and removes the key from the headers", async () => {
    const { request, identity } = await enter({ "x-api-key": made.key, accept: "x" });
    const expected = { tenant: "team", keyId: made.stored.id };
    expect(request).toMatchObject({
      id: "lh_1",
      endpoint: expect.objectContaining({ action: "generate" }),
      query: "?beta=true",
      headers: { accept: "x" },
      caller: {
        tenant: "team",
        key: { ...expected, name: "laptop", models: [], limits: {}, context: { strategy: "smart" } },
      },
    });
    expect(identity).toEqual(expected);
  });

  it("keeps the client's own credential if the gateway key is in x-longhaul-key", async () => {
    const { request } = await enter({ "x-longhaul-key": made.key, authorization: "Bearer sk-ant-1" });
    expect(request.headers).toEqual({ authorization: "Bearer sk-ant-1" });
  });

  it("makes idempotency keys unique per tenant and stable within one", async () => {
    const other = makeKey({ name: "phone", tenant: "other", createdAtMs: 0 });
    await store.keys.create(other.stored);
    const sentBy = async (key: string) => {
      const { request } = await enter({ "x-api-key": key, "idempotency-key": "once" });
      return request.headers["idempotency-key"];
    };
    const [first, again, others] = [await sentBy(made.key), await sentBy(made.key), await sentBy(other.key)];
    expect(first).toBe(again);
    expect(new Set(["once", first, others]).size).toBe(3);
  });

  it("rejects a missing, foreign, unknown or revoked key, the last two with the same message", async () => {
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
      message: expect.stringContaining("unknown or revoked"),
    });
    expect([malformed, revoked]).toEqual([unknown, unknown]);
  });

  it("rejects any other value in a key header with auth.missing", async () => {
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

  it("requires no key if server.keys is off, and still removes it from the headers", async () => {
    const { request, identity } = await enter({ "x-api-key": made.key, accept: "x" }, { keys: "off" });
    expect(request).toMatchObject({ headers: { accept: "x" } });
    expect([request.caller.key, request.caller.tenant, identity]).toEqual([undefined, "", undefined]);
  });

  it("requires no key on loopback until one exists, unless server.keys or server.host say otherwise", async () => {
    await access.close();
    await store.close();
    store = await openStore({ path: ":memory:", nowMs: () => 0 });
    access = await makeAccess(store);
    expect((await enter({})).request.caller.key).toBeUndefined();
    await expect(enter({}, { keys: "required" })).rejects.toMatchObject({ code: "auth.missing" });
    await expect(enter({}, { host: "0.0.0.0" })).rejects.toMatchObject({ code: "auth.missing" });
  });

  it("accepts a known key while the store is down, and rejects others with store.unavailable", async () => {
    const keys = makeBreakable(store.keys);
    await access.close();
    access = await makeAccess({ ...store, keys: keys.part });
    await enter({ "x-api-key": made.key });
    keys.breakIt("fails");
    expect((await enter({ "x-api-key": made.key })).request.caller.tenant).toBe("team");
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
  ])("rejects a request to %s in the dialect of %s", async (path, wire) => {
    const { status, text } = await ask(snapshotOf(), path, {}, { headers: { "x-api-key": "k" }, access });
    expect(status).toBe(401);
    expect(codecNamed(wire).decodeError(status, JSON.parse(text)).message).toContain(
      "requires one of its own API keys",
    );
  });

  it("rejects requests for lists and stored responses, too", async () => {
    const asking = { method: "GET", headers: {}, access };
    for (const path of ["/v1/models", "/v1beta/models", "/v1/responses/resp_1"]) {
      expect((await ask(snapshotOf(), path, undefined, asking)).status).toBe(401);
    }
  });
});
