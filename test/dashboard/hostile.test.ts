import type { EventsAnswer } from "@longhaul/admin/api";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { axeFaults, measureWork, rowList } from "./page.ts";
import { openRig, type Rig } from "./rig.ts";
import { ask, post } from "./traffic.ts";

/** Each of these would leave a mark on the page if it were rendered as anything but text. */
const ATTACKS = [
  "<script>document.documentElement.dataset.hurt = 'script'</script>",
  "<img src=x onerror=\"document.documentElement.dataset.hurt = 'image'\">",
  '<svg onload="document.documentElement.dataset.hurt = 1">',
  "<iframe srcdoc=\"<script>top.document.documentElement.dataset.hurt = 'frame'</script>\"></iframe>",
  "<a href=\"javascript:document.documentElement.dataset.hurt='link'\">look</a>",
  '<style>body { display: none }</style><link rel="stylesheet" href="https://example.com/a.css">',
  "[look](javascript:alert(1)) ![](https://example.com/pixel.png)",
  "</pre></article></div><form action=https://example.com><input autofocus onfocus=alert(1)>",
  "{{constructor.constructor('document.documentElement.dataset.hurt = 1')()}} ${document.title}",
];
/** Reverses the direction of the following text, up to the end of its paragraph. */
const BIDI = "the file \u202Egnp.exe\u202C and \u2067\u05E9\u05DC\u05D5\u05DD\u2069 and \u202Enever closed";
const NAME = `"><script>document.documentElement.dataset.hurt='name'</script>`;
/** For ten frames. */
const MAX_SCROLL_WORK_MS = 1_000;
const LONG = "0123456789abcdef ".repeat(130_000);

let rig: Rig;
beforeAll(async () => {
  rig = await openRig({ contents: { keep: "all" } });
});
afterAll(() => rig.close());
afterEach(async () => {
  expect(rig.complaints).toEqual([]);
  expect(await rig.page.evaluate(() => document.documentElement.dataset.hurt)).toBeUndefined();
});

const list = () => rowList(rig.page);

async function requestOf(session: string): Promise<string> {
  const found = async () =>
    (await ask<EventsAnswer>(rig, `/events?session=${encodeURIComponent(session)}`)).requests[0]?.id;
  await expect.poll(found).toBeDefined();
  return (await found()) ?? "";
}

it("shows markup, scripts and bidirectional text as text", async () => {
  const messages = [...ATTACKS, BIDI].flatMap((content) => [
    { role: "user", content },
    { role: "assistant", content },
  ]);
  expect(await post(rig, { session: "markup" }, { messages: [...messages, { role: "user", content: "and?" }] })).toBe(
    200,
  );
  await rig.show(`requests/${await requestOf("markup")}`);
  for (const attack of ATTACKS.slice(0, 3)) await list().getByText(attack, { exact: true }).first().waitFor();
  expect(await list().locator("script, img, svg, iframe, a, style, link, form, input").count()).toBe(0);
  await list().evaluate((element) => element.scrollTo(0, 1e9));
  const reversed = list().getByText("never closed").first();
  await reversed.waitFor();
  // The direction changes only within the text: the page around it keeps its order.
  expect(await reversed.evaluate((element) => getComputedStyle(element).unicodeBidi)).toBe("plaintext");
  expect(await axeFaults(rig.page)).toEqual([]);
});

it("shows session titles and names with markup as text", async () => {
  const title = `Mend ${NAME}`;
  expect(await post(rig, { session: NAME }, { messages: [{ role: "user", content: title }] })).toBe(200);
  await rig.show("sessions");
  await rig.page.getByRole("link", { name: title }).click();
  await rig.page.getByRole("heading", { name: title, level: 1 }).waitFor();
  const { requests } = await ask<EventsAnswer>(rig, "/events?limit=1");
  await rig.page.getByText(requests[0]?.session ?? "", { exact: true }).waitFor();
  await rig.page.getByLabel("Turns", { exact: true }).locator("tbody tr").waitFor();
});

it("stays responsive with a result of two megabytes", async () => {
  const messages = [
    { role: "user", content: "Read it." },
    { role: "assistant", content: [{ type: "tool_use", id: "toolu_1", name: "read", input: {} }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: LONG }] },
  ];
  await post(rig, { session: "long" }, { messages, tools: TOOLS });
  await rig.show(`requests/${await requestOf("long")}`);
  await list().getByRole("button", { name: "Show full text" }).click();
  const block = list().locator(".text-block", { hasText: "0123456789abcdef" }).first();
  await expect.poll(() => block.evaluate((element) => element.textContent.length)).toBe(LONG.length);
  const workMs = await measureWork(rig.page);
  for (let frame = 0; frame < 10; frame += 1) {
    await list().evaluate((element) => {
      element.scrollTop += 100;
      return new Promise((resolve) => requestAnimationFrame(resolve));
    });
  }
  expect(await workMs()).toBeLessThan(MAX_SCROLL_WORK_MS);
});

it("stays responsive with 5,000 messages", async () => {
  const messages = Array.from({ length: 5_000 }, (_, index) => ({
    role: index % 2 === 0 ? "user" : "assistant",
    content: `Message ${index}. ${"A line.\n".repeat(index % 7)}`,
  }));
  await post(rig, { session: "many" }, { messages: [...messages, { role: "user", content: "And now?" }] });
  await rig.show(`requests/${await requestOf("many")}`);
  await list().getByText("Message 0.").waitFor();
  await list().evaluate((element) => element.scrollTo(0, element.scrollHeight / 2));
  await list().locator("article").first().waitFor();
  await list().evaluate((element) => element.scrollTo(0, 1e9));
  await expect
    .poll(async () => {
      await list().evaluate((element) => element.scrollTo(0, 1e9));
      return await list().getByText("And now?").count();
    })
    .toBe(1);
  expect(await rig.page.evaluate(() => document.querySelectorAll("*").length)).toBeLessThan(2_000);
});

const TOOLS = [{ name: "read", description: "Reads.", input_schema: { type: "object" } }];
