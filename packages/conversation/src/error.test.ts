import { describe, expect, it } from "vitest";
import { ERROR_CODES, LonghaulError } from "./error.ts";

describe("LonghaulError", () => {
  it("takes status and retryability from the code", () => {
    const error = new LonghaulError("upstream.timeout", "no answer in 60 s; try again");
    expect(error).toMatchObject({ name: "LonghaulError", code: "upstream.timeout", status: 504, retryable: true });
    expect(error).toBeInstanceOf(Error);
    expect("cause" in error).toBe(false);
  });

  it("carries its cause and overrides the status", () => {
    const cause = new Error("socket hang up");
    const error = new LonghaulError("upstream.refused", "the upstream refused the request", { cause, status: 422 });
    expect(error).toMatchObject({ status: 422, cause, retryable: false });
  });

  it("carries the fields at fault, none by default", () => {
    expect(new LonghaulError("request.not-kept", "not found", { param: "input" }).param).toBe("input");
    const faults = [{ path: "context.threshold", message: "give 5 to 100" }];
    expect(new LonghaulError("settings.invalid", "two faults", { faults }).faults).toEqual(faults);
    expect(new LonghaulError("settings.invalid", "no faults").faults).toEqual([]);
  });

  it("carries the overflow and the retry delay, undefined by default", () => {
    const overflow = { actualTokens: 204_826, limitTokens: 200_000 };
    expect(new LonghaulError("request.too-large", "prompt is too long", { overflow }).overflow).toEqual(overflow);
    expect(new LonghaulError("upstream.busy", "slow down", { retryAfterMs: 34_400 }).retryAfterMs).toBe(34_400);
    expect(new LonghaulError("upstream.busy", "slow down")).toMatchObject({
      overflow: undefined,
      retryAfterMs: undefined,
    });
  });
});

describe("ERROR_CODES", () => {
  it("maps a prompt over the window to 400, and only an oversized body to 413", () => {
    expect(ERROR_CODES["request.too-large"].status).toBe(400);
    const codesWith413 = Object.entries(ERROR_CODES).filter(([, kind]) => kind.status === 413);
    expect(codesWith413.map(([code]) => code)).toEqual(["request.body-too-large"]);
  });

  it("marks no request, auth or route error as retryable", () => {
    const requestCodes = Object.entries(ERROR_CODES).filter(([code]) => /^(request|auth|route)\./.test(code));
    expect(requestCodes.every(([, kind]) => !kind.retryable && kind.status < 500)).toBe(true);
  });
});
