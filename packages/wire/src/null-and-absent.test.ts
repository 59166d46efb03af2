import type { Request } from "@longhaul/conversation/advanced";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { settingsOf } from "./fields/settings.ts";
import { FORMATS } from "./testing/formats.ts";
import { normalConversation } from "./testing/normal-form.ts";
import { EMPTY_STYLES, setEmptyRequestFields } from "./testing/optional-fields.ts";

describe.each(FORMATS)("a request of $codec.id", ({ codec, anyBody, line }) => {
  it.each(EMPTY_STYLES)("decodes the same with its empty optional fields %s", (style) => {
    fc.assert(
      fc.property(anyBody(), (body) => {
        const styled = setEmptyRequestFields(body, codec.id, style);
        expect(meaningOf(codec.decodeRequest(styled, line))).toEqual(meaningOf(codec.decodeRequest(body, line)));
      }),
    );
  });
});

/** Returns a request without `native` and `extra`, which keep the original form on purpose. */
function meaningOf(request: Request): unknown {
  const meaning = { settings: settingsOf(request), conversation: normalConversation(request.conversation) };
  return JSON.parse(JSON.stringify(meaning, (key, value) => (key === "native" ? undefined : value)));
}
