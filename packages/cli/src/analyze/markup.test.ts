import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { html } from "./markup.ts";

describe("html", () => {
  it("escapes values, but not markup made by the tag", () => {
    const bold = html`<b>${"<i> & \"you\" & 'me'"}</b>`;
    expect(bold.markup).toBe("<b>&lt;i&gt; &amp; &quot;you&quot; &amp; &#39;me&#39;</b>");
    expect(html`<p title="${'"'}">${bold}${[html`1`, html`2`]}${1.23456}${7}</p>`.markup).toBe(
      `<p title="&quot;">${bold.markup}121.237</p>`,
    );
  });

  it("never turns text into markup", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("<", ">", '"', "'", "&", "a", "=", "/") }), (text) => {
        const { markup } = html`${text}`;
        expect(markup).not.toMatch(/[<>"']/);
        const plain = markup
          .replaceAll("&lt;", "<")
          .replaceAll("&gt;", ">")
          .replaceAll("&quot;", '"')
          .replaceAll("&#39;", "'");
        expect(plain.replaceAll("&amp;", "&")).toBe(text);
      }),
    );
  });
});
