import type { Page } from "playwright-core";
import { expect } from "vitest";

/** The list of a conversation's parts before and after. */
export function rowList(page: Page) {
  return page.getByRole("group", { name: "Before and after" });
}

/** Scrolls the list until one of its parts is drawn. */
export async function scrollToRow(page: Page, selector: string): Promise<void> {
  const list = rowList(page);
  await list.locator("article").first().waitFor();
  await expect
    .poll(async () => {
      if ((await list.locator(selector).count()) > 0) return true;
      await list.evaluate((element) => element.scrollBy(0, 500));
      return false;
    })
    .toBe(true);
}
