import { describe, expect, it } from "vitest";
import { REQUEST_HEADERS, requestContext } from "./request-headers.ts";

describe("requestContext", () => {
  it.each([
    [{ "x-longhaul-mode": "Observe" }, { mode: "observe" }],
    [{ "x-longhaul-strategy": " lossless " }, { strategy: "lossless" }],
    [{ "x-longhaul-threshold": "62.5" }, { threshold: 62.5 }],
    [{ "x-longhaul-threshold": "-1" }, { threshold: -1 }],
    [{ "x-longhaul-auto": "false" }, { auto: false }],
    [{ "x-longhaul-auto": "1" }, { auto: true }],
    [{ "x-longhaul-references": "on" }, { references: "on" }],
    [{ "x-longhaul-wait-seconds": "0" }, { waitSeconds: 0 }],
    [{ "x-longhaul-auto": "No" }, { auto: false }],
    [{ "x-disable-compression": "TRUE", "x-longhaul-mode": "on" }, { mode: "off" }],
    [{ "x-disable-compression": "yes" }, { mode: "off" }],
    [{ "x-disable-compression": "On" }, { mode: "off" }],
    [{ "x-disable-compression": "1" }, { mode: "off" }],
    [{ "x-disable-compression": "off", "x-longhaul-mode": "on" }, { mode: "on" }],
    [
      { "x-longhaul-strategy": "native", "x-longhaul-threshold": "50" },
      { strategy: "native", threshold: 50 },
    ],
  ])("reads %j", (headers, chosen) => {
    expect(requestContext(headers)).toEqual(chosen);
  });

  it.each([
    [{}],
    [{ "x-longhaul-mode": " " }],
    [{ "x-disable-compression": "false" }],
    [{ "x-disable-compression": "NO" }],
    [{ "x-longhaul-request-id": "lh_1", "x-other": "y" }],
  ])("returns undefined for %j", (headers) => {
    expect(requestContext(headers)).toBeUndefined();
  });

  it.each([
    ["x-longhaul-mode", "loud", "one of on, observe, off"],
    ["x-longhaul-strategy", "shrink", /one of native, .*middle-out/],
    ["x-longhaul-threshold", "4", "a number from 5 to 100, or -1"],
    ["x-longhaul-threshold", "half", "a number from 5 to 100, or -1"],
    ["x-longhaul-auto", "maybe", "true, yes, on or 1, or false, no, off or 0"],
    ["x-disable-compression", "please", "true, yes, on or 1, or false, no, off or 0"],
    ["x-disable-compression", "observe", "true, yes, on or 1, or false, no, off or 0"],
    ["x-longhaul-references", "all", "one of auto, on, off"],
    ["x-longhaul-wait-seconds", "-3", "a number of at least 0"],
  ])("rejects %s: %s with the valid values", (name, text, takes) => {
    expect(() => requestContext({ [name]: text })).toThrow(
      expect.objectContaining({
        code: "request.malformed",
        status: 400,
        param: name,
        message: expect.stringMatching(takes),
      }),
    );
    expect(() => requestContext({ [name]: text })).toThrow(`the header ${name} is "${text}"; use `);
  });

  it("names every invalid header at once", () => {
    expect(() =>
      requestContext({ "x-longhaul-mode": "a", "x-longhaul-auto": "b", "x-longhaul-threshold": "50" }),
    ).toThrow(/^the header x-longhaul-mode is "a".*; the header x-longhaul-auto is "b"; use true, [^;]*$/);
    expect(() => requestContext({ "x-longhaul-mode": "on", "x-disable-compression": "b" })).toThrow(
      /^the header x-disable-compression is "b"/,
    );
  });
});

it("has unique lower-case header names", () => {
  const names = REQUEST_HEADERS.map(({ name }) => name);
  expect(names).toEqual([...new Set(names.map((name) => name.toLowerCase()))]);
});
