import { fingerprint } from "@longhaul/conversation/advanced";
import { makeAssistant, makeToolResult, makeUser } from "@longhaul/conversation/testing";
import { sha256 } from "@longhaul/fit";
import { expect, it } from "vitest";
import { pinsOf } from "./pins.ts";

it("finds messages that are pinned by hash or by their user's marker", () => {
  const result = makeUser(makeToolResult("a", "42 rows"));
  const rule = makeUser("#longhaul-pin Keep this.");
  const messages = [makeUser("the task"), result, rule, makeAssistant("#longhaul-pin is noted.")];
  const hash = fingerprint(result, sha256);
  expect(pinsOf({ messages }, [hash, "gone"])).toEqual([
    { hash, role: "user", text: expect.stringContaining("42 rows"), isMarked: false },
    { hash: fingerprint(rule, sha256), role: "user", text: "#longhaul-pin Keep this.", isMarked: true },
  ]);
});
