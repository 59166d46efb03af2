import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hrefTo, hrefToSession, parseRoute } from "./router.ts";

describe("readPlace", () => {
  it.each([
    ["", { page: "", id: "", query: {} }],
    ["#/", { page: "", id: "", query: {} }],
    ["#token=abc", { page: "", id: "", query: {} }],
    ["#/sessions", { page: "sessions", id: "", query: {} }],
    ["#/sessions/a%2Fb?tab=cost", { page: "sessions", id: "a/b", query: { tab: "cost" } }],
    ["#/sessions/%E0%A4%A", { page: "sessions", id: "%E0%A4%A", query: {} }],
  ])("parses %j", (fragment, route) => {
    expect(parseRoute(fragment)).toEqual(route);
  });

  it("parses the links of hrefTo", () => {
    const words = fc.string({ unit: "grapheme", minLength: 1 });
    fc.assert(
      fc.property(fc.constantFrom("sessions", "requests"), words, words, (page, id, tab) => {
        expect(parseRoute(hrefTo(page, id, { tab }))).toEqual({ page, id, query: { tab } });
      }),
    );
  });
});

describe("hrefToSession", () => {
  it("includes the tenant if there is one", () => {
    expect(hrefToSession({ tenant: "", session: "a b" })).toBe("#/sessions/a%20b");
    expect(hrefToSession({ tenant: "t", session: "a" })).toBe("#/sessions/a?tenant=t");
  });
});
