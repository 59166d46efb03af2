import { describe, expect, it } from "vitest";
import { makeApi, tokenIn } from "./api.ts";

describe("makeApi", () => {
  it("returns the response of the gateway", async () => {
    const { api, asked } = makeGateway(200, '{"items":[1]}');
    expect(await api.get("/events?limit=1")).toEqual({ items: [1] });
    expect(asked).toMatchObject([["/api/events?limit=1", {}]]);
  });

  it("sends JSON with the headers of a change", async () => {
    const { api, asked } = makeGateway(204, "");
    expect(await api.send("PUT", "/presets/a", { name: "a" })).toBeNull();
    expect(asked).toEqual([
      [
        "/api/presets/a",
        {
          method: "PUT",
          headers: { "content-type": "application/json", "x-longhaul-admin": "1" },
          body: '{"name":"a"}',
        },
      ],
    ]);
  });

  it("rejects with the code, message and field errors of an error response", async () => {
    const faults = [{ path: "config.share", message: "at most 1" }];
    const { api } = makeGateway(400, JSON.stringify({ error: { code: "request.malformed", message: "no", faults } }));
    await expect(api.get("/x")).rejects.toMatchObject({
      status: 400,
      code: "request.malformed",
      message: "no",
      faults,
    });
  });

  it("calls onSignedOut on status 401", async () => {
    const { api, signedOut } = makeGateway(401, '{"error":{"code":"auth.missing","message":"sign in"}}');
    await expect(api.get("/x")).rejects.toMatchObject({ code: "auth.missing" });
    expect(signedOut()).toBe(1);
  });

  it.each([
    [502, "<html>"],
    [200, "<html>"],
    [500, '{"error":"x"}'],
  ])("rejects a response %d %j that is not the admin API's", async (status, text) => {
    const { api } = makeGateway(status, text);
    await expect(api.get("/x")).rejects.toMatchObject({ code: "gateway.unclear", status });
  });

  it("rejects with gateway.unreachable when there is no response", async () => {
    const api = makeApi(
      () => Promise.reject(new TypeError("fetch failed")),
      () => {},
    );
    await expect(api.get("/x")).rejects.toMatchObject({ status: 0, code: "gateway.unreachable" });
  });

  it("passes on an abort", async () => {
    const api = makeApi(
      () => Promise.reject(new DOMException("aborted", "AbortError")),
      () => {},
    );
    await expect(api.get("/x", new AbortController().signal)).rejects.toMatchObject({ name: "AbortError" });
  });
});

describe("tokenIn", () => {
  it("returns the one-time token of an address, and nothing for other fragments", () => {
    expect(tokenIn("#token=aB3_x.y~z-1")).toBe("aB3_x.y~z-1");
    expect(tokenIn("#/sessions?token=a")).toBeUndefined();
    expect(tokenIn("#token=")).toBeUndefined();
  });
});

function makeGateway(status: number, text: string) {
  const asked: unknown[] = [];
  let count = 0;
  const fetchFrom: typeof fetch = (...call) => {
    asked.push(call);
    return Promise.resolve(new Response(status === 204 ? null : text, { status }));
  };
  const api = makeApi(fetchFrom, () => {
    count += 1;
  });
  return { api, asked, signedOut: () => count };
}
