import { mediaKind } from "@longhaul/upstream";
import { describe, expect, it } from "vitest";
import { withSafeType } from "./media-type.ts";
import type { Outcome } from "./outcome.ts";

describe("mediaKind", () => {
  it.each([
    [undefined, "data"],
    ["application/json; charset=utf-8", "data"],
    ["Application/Problem+JSON", "data"],
    ["text/event-stream", "data"],
    ["application/vnd.amazon.eventstream", "data"],
    ["audio/mpeg", "file"],
    ["application/octet-stream", "file"],
    ["text/plain", "file"],
    ["text/html; charset=utf-8", "unexpected"],
    ["TEXT/HTML", "unexpected"],
    ["application/xhtml+xml", "unexpected"],
    ["image/svg+xml", "unexpected"],
    ["text/xml", "unexpected"],
    ["application/json, text/html", "unexpected"],
    ["application/json; charset=utf-8, text/html", "unexpected"],
    ["text/javascript", "unexpected"],
    ["*/*", "unexpected"],
    ["", "unexpected"],
  ])("%s is %s", (type, kind) => {
    expect(mediaKind(type)).toBe(kind);
  });
});

describe("withSafeType", () => {
  const outcome = (headers: Outcome["headers"]): Outcome => ({
    status: 200,
    headers,
    body: new Uint8Array(),
    isStream: false,
  });

  it("returns data as it is", async () => {
    const data = outcome({ "content-type": "application/json" });
    expect(await withSafeType(data, false)).toBe(data);
  });

  it.each([
    [undefined, "attachment"],
    ['inline; filename="a.html"', "attachment"],
    ['attachment; filename="a.mp3"', 'attachment; filename="a.mp3"'],
  ])("saves a file whose disposition is %s as %s", async (given, expected) => {
    const file = outcome({ "content-type": "audio/mpeg", ...(given && { "content-disposition": given }) });
    expect((await withSafeType(file, false)).headers["content-disposition"]).toBe(expected);
  });

  it("saves the content of an uploaded page as plain bytes", async () => {
    const { headers } = await withSafeType(outcome({ "content-type": "text/html" }), true);
    expect(headers).toEqual({ "content-type": "application/octet-stream", "content-disposition": "attachment" });
  });

  it("refuses a page and stops reading it", async () => {
    let isStopped = false;
    const body = {
      [Symbol.asyncIterator]: () => ({
        next: async () => ({ done: false as const, value: new Uint8Array() }),
        return: async () => {
          isStopped = true;
          return { done: true as const, value: undefined };
        },
      }),
    };
    const page = { ...outcome({ "content-type": "text/html" }), body };
    await expect(withSafeType(page, false)).rejects.toMatchObject({ code: "upstream.broken" });
    expect(isStopped).toBe(true);
  });
});
