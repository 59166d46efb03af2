import { describe, expect, it } from "vitest";
import { mediaTypeOfUrl } from "./media.ts";

describe("mediaTypeOfUrl", () => {
  it("goes by the ending", () => {
    expect(mediaTypeOfUrl("https://files.example/a.JPG?size=2")).toBe("image/jpeg");
    expect(mediaTypeOfUrl("https://files.example/plan.pdf#2")).toBe("application/pdf");
    expect(mediaTypeOfUrl("https://files.example/plan")).toBeUndefined();
    expect(mediaTypeOfUrl("https://files.example/a.xyz")).toBeUndefined();
  });
});
