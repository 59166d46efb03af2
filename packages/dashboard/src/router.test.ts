import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hrefTo, hrefToSession, readPlace, tokenIn } from "./router.ts";

describe("readPlace", () => {
  it.each([
    ["", { page: "", id: "", query: {} }],
    ["#/", { page: "", id: "", query: {} }],
    ["#token=abc", { page: "", id: "", query: {} }],
    ["#/sessions", { page: "sessions", id: "", query: {} }],
    ["#/sessions/a%2Fb?tab=cost", { page: "sessions", id: "a/b", query: { tab: "cost" } }],
    ["#/sessions/%E0%A4%A", { page: "sessions", id: "%E0%A4%A", query: {} }],
  ])("reads %j", (fragment, place) => {
    expect(readPlace(fragment)).toEqual(place);
  });

  it("reads what hrefTo writes", () => {
    const words = fc.string({ unit: "grapheme", minLength: 1 });
    fc.assert(
      fc.property(fc.constantFrom("sessions", "requests"), words, words, (page, id, tab) => {
        expect(readPlace(hrefTo(page, id, { tab }))).toEqual({ page, id, query: { tab } });
      }),
    );
  });
});

describe("hrefToSession", () => {
  it("names the owner where there is one", () => {
    expect(hrefToSession({ tenant: "", session: "a b" })).toBe("#/sessions/a%20b");
    expect(hrefToSession({ tenant: "t", session: "a" })).toBe("#/sessions/a?tenant=t");
  });
});

describe("tokenIn", () => {
  it("finds the token that an address was printed with, and nothing else", () => {
    expect(tokenIn("#token=aB3_x.y~z-1")).toBe("aB3_x.y~z-1");
    expect(tokenIn("#/sessions?token=a")).toBeUndefined();
    expect(tokenIn("#token=")).toBeUndefined();
  });
});
