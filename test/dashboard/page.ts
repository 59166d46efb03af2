import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { expect } from "vitest";

/** Returns the accessibility violations of the current page: in light, and in dark on a phone. */
export async function axeFaults(page: Page): Promise<string[]> {
  const before = page.viewportSize() ?? PHONE;
  const faults: string[] = [];
  for (const [theme, size] of [
    ["light", before],
    ["dark", PHONE],
  ] as const) {
    await page.setViewportSize(size);
    await page.evaluate((name) => {
      document.documentElement.dataset.theme = name;
    }, theme);
    const { violations } = await new AxeBuilder({ page }).analyze();
    faults.push(...violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${theme}: ${id} at ${html}`)));
  }
  await page.setViewportSize(before);
  return faults;
}

/** Returns by how many pixels the page, or a table in it, is wider than a phone. */
export async function phoneOverflow(page: Page): Promise<number> {
  const before = page.viewportSize() ?? PHONE;
  await page.setViewportSize(PHONE);
  const over = await page.evaluate(() => {
    const boxes = [document.documentElement, ...document.querySelectorAll(".table-scroll")];
    return Math.max(...boxes.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth));
  });
  await page.setViewportSize(before);
  return over;
}

/** Returns the texts in tables and lists of facts that a phone does not show completely, and by how much the page is too wide. */
export async function hiddenOnPhone(page: Page): Promise<string[]> {
  const before = page.viewportSize() ?? PHONE;
  await page.setViewportSize(PHONE);
  const hidden = await page.evaluate(findHidden);
  await page.setViewportSize(before);
  return hidden;
}

/** Runs in the browser. Texts in a collapsed part, a tooltip or for screen readers are reachable or repeated elsewhere. */
function findHidden(): string[] {
  const { scrollWidth, clientWidth } = document.documentElement;
  const found = scrollWidth > clientWidth ? [`the page is ${scrollWidth - clientWidth} px too wide`] : [];
  const isCut = (rect: DOMRect, element: Element | null): boolean => {
    if (element === null || element === document.documentElement) return rect.left < -1 || rect.right > clientWidth + 1;
    const { overflowX, overflowY } = getComputedStyle(element);
    const box = element.getBoundingClientRect();
    const isOutside = overflowX !== "visible" && (rect.left < box.left - 1 || rect.right > box.right + 1);
    const isBelow = overflowY === "hidden" && (rect.top < box.top - 1 || rect.bottom > box.bottom + 1);
    return isOutside || isBelow || isCut(rect, element.parentElement);
  };
  for (const cell of document.querySelectorAll("main :is(td, dt, dd)")) {
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
      const { parentElement } = text;
      const isAside = parentElement?.closest("[role=tooltip], .visually-hidden, details:not([open]) > :not(summary)");
      if (parentElement === null || isAside || text.textContent?.trim() === "") continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      const rects = [...range.getClientRects()];
      const isShown = parentElement.checkVisibility({ opacityProperty: true, visibilityProperty: true });
      if (!isShown || rects.some((rect) => isCut(rect, parentElement))) found.push(`hidden: ${text.textContent}`);
    }
  }
  return found;
}

const PHONE = { width: 390, height: 800 };

/** The metrics of Chromium's work for a page, without painting. */
const WORK = new Set(["ScriptDuration", "LayoutDuration", "RecalcStyleDuration"]);

/**
 * Starts to measure a page. The returned function gives the milliseconds of processor time for scripts, styles and layout since then.
 * Unlike a clock, it does not count other programs on a busy machine.
 */
export async function measureWork(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const sum = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return metrics.filter(({ name }) => WORK.has(name)).reduce((total, { value }) => total + value * 1_000, 0);
  };
  const before = await sum();
  return async () => (await sum()) - before;
}

/** Locates the comparison of a conversation before and after. */
export function rowList(page: Page) {
  return page.getByRole("group", { name: "Before and after" });
}

/**
 * Scrolls the list until the first matching row is in the middle of the visible part and stays there. Rows are
 * loaded and measured while the list scrolls, so a row at the edge of the rendered part may disappear again.
 */
export async function scrollToRow(page: Page, selector: string): Promise<void> {
  const list = rowList(page);
  await list.locator("article").first().waitFor();
  const seen: (number | undefined)[] = [];
  await expect
    .poll(async () => {
      seen.push(await list.evaluate(scrollTowards, selector));
      return seen.length > 2 && seen.at(-1) !== undefined && new Set(seen.slice(-3)).size === 1;
    })
    .toBe(true);
}

/** Returns the position of the first matching row, or scrolls further and returns nothing. */
function scrollTowards(list: Element, selector: string): number | undefined {
  const row = list.querySelector(selector);
  if (row !== null) {
    row.scrollIntoView({ block: "center" });
    return Math.round(row.getBoundingClientRect().top);
  }
  // A row that is still loading may be the one.
  if (list.querySelector("[aria-busy=true]") === null) list.scrollBy(0, 500);
  return undefined;
}
