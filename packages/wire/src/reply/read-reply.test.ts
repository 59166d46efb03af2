import { LonghaulError } from "@longhaul/conversation";
import { describe, expect, it } from "vitest";
import { malformed } from "../fields/json.ts";
import {
  parseEventData,
  readReplyObject,
  stepData,
  stepOrFail,
  truncatedStream,
  unreadableEvent,
  withReplyErrors,
} from "./read-reply.ts";

describe("withReplyErrors", () => {
  it("turns malformed input into an upstream error and passes other errors through", () => {
    const read = () => {
      throw malformed("content[0].text", "a string", 7);
    };
    expect(() => withReplyErrors(read)).toThrow(expect.objectContaining({ code: "upstream.broken", retryable: true }));
    const other = new LonghaulError("upstream.busy", "later");
    expect(() =>
      withReplyErrors(() => {
        throw other;
      }),
    ).toThrow(other);
    expect(withReplyErrors(() => 7)).toBe(7);
  });
});

describe("stepOrFail", () => {
  const state = { phase: "during" } as const;

  it("ends a stream with a LonghaulError and throws any other error", () => {
    const error = truncatedStream();
    const failing = () => {
      throw error;
    };
    expect(stepOrFail(state, 7, failing)).toEqual([{ phase: "after" }, [{ type: "error", error }]]);
    expect(stepOrFail(state, 7, (before) => [before, []])).toEqual([state, []]);
    const buggy = () => {
      throw new TypeError("a bug");
    };
    expect(() => stepOrFail(state, 7, buggy)).toThrow(TypeError);
  });

  it("ends a stream whose data is not an object", () => {
    const [after, events] = stepData(state, "{oops", (before) => [before, []]);
    expect([after, events]).toMatchObject([{ phase: "after" }, [{ type: "error", error: { cause: "{oops" } }]]);
  });
});

describe("readReplyObject", () => {
  it("requires an object with the content field", () => {
    expect(readReplyObject({ content: [] }, "content")).toEqual({ content: [] });
    expect(() => readReplyObject({}, "content")).toThrow('"content" is missing');
    expect(() => readReplyObject("<html>", "content")).toThrow(LonghaulError);
  });
});

describe("parseEventData", () => {
  it("parses only objects", () => {
    expect(parseEventData('{"a":1}')).toEqual({ a: 1 });
    expect(parseEventData("[1]")).toBeUndefined();
    expect(parseEventData("{oops")).toBeUndefined();
  });

  it("has an error for an unreadable event and one for a truncated stream", () => {
    expect(unreadableEvent("{oops")).toMatchObject({ code: "upstream.broken", cause: "{oops" });
    expect(unreadableEvent("{oops").message).not.toContain("{oops");
    expect(truncatedStream()).toMatchObject({ code: "upstream.broken", retryable: true });
  });
});
