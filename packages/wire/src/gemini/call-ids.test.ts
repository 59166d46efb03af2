import { describe, expect, it } from "vitest";
import { isPlaceholder, placeholderId, replyCallId } from "./call-ids.ts";

describe("placeholderId", () => {
  it("is one for a call and its result", () => {
    expect(placeholderId("read_file")).toBe("gemini_call_read_file");
  });
});

describe("replyCallId", () => {
  it("differs from call to call and from reply to reply", () => {
    expect(replyCallId("r1", 0, "a")).toBe("gemini_call_r1_0");
    expect(replyCallId("r1", 1, "a")).toBe("gemini_call_r1_1");
    expect(replyCallId("r2", 0, "a")).toBe("gemini_call_r2_0");
  });

  it("goes by what the call says where the reply has no id", () => {
    expect(replyCallId("", 0, "a")).toMatch(/^gemini_call_[0-9a-f]{32}_0$/);
    expect(replyCallId("", 0, "a")).not.toBe(replyCallId("", 0, "b"));
  });
});

describe("isPlaceholder", () => {
  it("tells our ids from those that somebody gave", () => {
    expect([placeholderId("now"), replyCallId("r", 0, ""), "toolu_1", "read_file"].map(isPlaceholder)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});
