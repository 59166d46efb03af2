import { LonghaulError } from "@longhaul/conversation";
import { describe, expect, it } from "vitest";
import { malformed } from "../fields/json.ts";
import { brokenOff, parseData, readingReply, readingStep, readReplyObject, unreadable } from "./read-reply.ts";

describe("readingReply", () => {
  it("makes what does not fit the upstream's fault, and leaves other errors alone", () => {
    const read = () => {
      throw malformed("content[0].text", "a string", 7);
    };
    expect(() => readingReply(read)).toThrow(expect.objectContaining({ code: "upstream.broken", retryable: true }));
    const other = new LonghaulError("upstream.busy", "later");
    expect(() =>
      readingReply(() => {
        throw other;
      }),
    ).toThrow(other);
    expect(readingReply(() => 7)).toBe(7);
  });
});

describe("readingStep", () => {
  it("ends a stream with an error of ours, and lets any other through", () => {
    const error = brokenOff();
    const failing = () => {
      throw error;
    };
    expect(readingStep<unknown>(failing, (found) => found)).toBe(error);
    expect(
      readingStep(
        () => 7,
        () => 0,
      ),
    ).toBe(7);
    const buggy = () => {
      throw new TypeError("a bug");
    };
    expect(() => readingStep<number>(buggy, () => 0)).toThrow(TypeError);
  });
});

describe("readReplyObject", () => {
  it("wants an object with the field that says something", () => {
    expect(readReplyObject({ content: [] }, "content")).toEqual({ content: [] });
    expect(() => readReplyObject({}, "content")).toThrow('it has no "content"');
    expect(() => readReplyObject("<html>", "content")).toThrow(LonghaulError);
  });
});

describe("parseData", () => {
  it("reads objects only", () => {
    expect(parseData('{"a":1}')).toEqual({ a: 1 });
    expect(parseData("[1]")).toBeUndefined();
    expect(parseData("{oops")).toBeUndefined();
  });

  it("has an error for what it can't read, and one for a stream that broke off", () => {
    expect(unreadable("{oops")).toMatchObject({ code: "upstream.broken", cause: "{oops" });
    expect(unreadable("{oops").message).not.toContain("{oops");
    expect(brokenOff()).toMatchObject({ code: "upstream.broken", retryable: true });
  });
});
