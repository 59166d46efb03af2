import { describe, expect, it } from "vitest";
import { makeCondensationEvent, makeRequestEvent, makeSession } from "../testing/make.ts";
import { sessionRows } from "./session-rows.ts";

describe("sessionRows", () => {
  it("joins what belongs to one session", () => {
    const batch = { requests: [makeRequestEvent()], condensations: [makeCondensationEvent()] };
    expect(sessionRows(batch)).toEqual([makeSession()]);
  });

  it("shows the latest request, wherever it stands", () => {
    const requests = [5, 9, 7].map((atMs) => makeRequestEvent({ id: `${atMs}`, atMs, model: `model-${atMs}` }));
    expect(sessionRows({ requests, condensations: [] })).toMatchObject([
      { firstAtMs: 5, lastAtMs: 9, model: "model-9", requests: 3 },
    ]);
  });

  it("is in one order, whatever the order of the events", () => {
    const requests = ["b", "a", "c"].map((session) => makeRequestEvent({ id: session, session }));
    const forth = sessionRows({ requests, condensations: [] });
    expect(forth.map(({ session }) => session)).toEqual(["a", "b", "c"]);
    expect(sessionRows({ requests: requests.toReversed(), condensations: [] })).toEqual(forth);
  });

  it("leaves out what belongs to no session", () => {
    const batch = {
      requests: [makeRequestEvent({ session: "" })],
      condensations: [makeCondensationEvent({ session: "" })],
    };
    expect(sessionRows(batch)).toEqual([]);
  });
});
