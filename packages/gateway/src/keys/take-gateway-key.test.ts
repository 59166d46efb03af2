import fc from "fast-check";
import { expect, it } from "vitest";
import { makeKey } from "./make-key.ts";
import { takeGatewayKey } from "./take-gateway-key.ts";

const { key } = makeKey({ name: "", createdAtMs: 0 });
const rest = { "content-type": "application/json", "anthropic-version": "2023-06-01" };

it.each([
  ["authorization", `Bearer ${key}`],
  ["authorization", `bearer  ${key}`],
  ["authorization", key],
  ["x-api-key", key],
  ["x-goog-api-key", key],
  ["x-longhaul-key", key],
  ["x-api-key", `sk-ant-1, ${key}`],
])("finds it in %s: %s", (name, value) => {
  expect(takeGatewayKey({ ...rest, [name]: value })).toEqual({ key, headers: rest });
});

it("leaves a vendor's credential in the usual header where the key has its own", () => {
  const vendors = { ...rest, authorization: "Bearer sk-ant-1" };
  expect(takeGatewayKey({ ...vendors, "x-longhaul-key": key })).toEqual({ key, headers: vendors });
  expect(takeGatewayKey({ ...vendors, "x-api-key": key })).toEqual({ key, headers: vendors });
});

it("goes by the key's own header where there are several, and takes all of them", () => {
  const other = makeKey({ name: "", createdAtMs: 0 }).key;
  expect(takeGatewayKey({ "x-longhaul-key": key, authorization: `Bearer ${other}`, "x-api-key": other })).toEqual({
    key,
    headers: {},
  });
  expect(takeGatewayKey({ "x-longhaul-key": "wrong", "x-api-key": key })).toEqual({ key: "wrong", headers: {} });
});

it("leaves everything as it is where there is none", () => {
  const headers = { ...rest, authorization: `Bearer sk-${key}`, "x-api-key": "lh_short", cookie: "a" };
  expect(takeGatewayKey(headers)).toEqual({ headers });
  expect(takeGatewayKey(headers).headers).toBe(headers);
});

it("leaves no key in any credential, whatever stands around it", () => {
  const around = fc.stringMatching(/^[ ,]*$/);
  const name = fc.constantFrom("authorization", "x-api-key", "x-goog-api-key", "x-longhaul-key");
  fc.assert(
    fc.property(name, around, around, fc.string(), (header, before, after, other) => {
      const { headers } = takeGatewayKey({ [header]: `${other} ${before}${key}${after} ${other}`, accept: "x" });
      expect(headers).toEqual({ accept: "x" });
    }),
  );
});
