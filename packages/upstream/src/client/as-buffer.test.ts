import { expect, it } from "vitest";
import { asBuffer } from "./as-buffer.ts";

it("sees the bytes of a view, and nothing of what lies around it", () => {
  const whole = new TextEncoder().encode("before middle after");
  const view = asBuffer(whole.subarray(7, 13));
  expect(view.toString()).toBe("middle");
  expect(view.indexOf("after")).toBe(-1);
});

it("copies nothing", () => {
  const bytes = new TextEncoder().encode("cold");
  const view = asBuffer(bytes);
  bytes[0] = "b".charCodeAt(0);
  expect(view.toString()).toBe("bold");
});
