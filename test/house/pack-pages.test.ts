import { expect, it } from "vitest";
import { withoutLostLinks } from "../../scripts/pack-pages.ts";

it("keeps links to what is published, to elsewhere and within a page, and only the words of others, and no lost pictures", () => {
  const page = "[a](docs/a.md#b), [c](../c.md), [d](https://example.com/d), [e](#e)![f](f.webp)";
  const published = withoutLostLinks(page, (path) => path === "docs/a.md");
  expect(published).toBe("[a](docs/a.md#b), c, [d](https://example.com/d), [e](#e)");
});
