import { readFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { axeFaults, phoneOverflow, scrollToRow } from "./page.ts";
import { openRig, type Rig } from "./rig.ts";
import { ask, BUSY } from "./traffic.ts";

let rig: Rig;
beforeAll(async () => {
  rig = await openRig(BUSY);
});
afterAll(() => rig.close());
afterEach(() => expect(rig.complaints).toEqual([]));

const card = (name: string) => rig.page.getByRole("region", { name, exact: true });
const strategies = () => card("Results by strategy").locator("tbody tr");
const strategy = (name: string) => strategies().getByRole("button", { name, exact: true });

/** A short session of an OpenAI client, as a request's body. */
const CHAT = JSON.stringify({
  model: "gpt-4o-mini",
  messages: [
    { role: "system", content: "Be brief." },
    ...Array.from({ length: 40 }, (_, turn) => [
      { role: "user", content: `What is the meaning of word ${turn}? ${"It is in a long text. ".repeat(30)}` },
      { role: "assistant", content: `Word ${turn} means ${turn * 7}. ${"That is all there is to say. ".repeat(20)}` },
    ]).flat(),
    { role: "user", content: "And now?" },
  ],
});

it("analyzes an example and previews each strategy on it", async () => {
  await rig.show("playground");
  await rig.page.getByRole("button", { name: "A bug hunt" }).click();
  await card("A bug hunt").getByText("anthropic-messages, 48 messages, tokens counted for claude-sonnet-4-5").waitFor();
  expect(await strategies().count()).toBe(10);
  await card("Results by strategy")
    .getByText(/^Recommended: Lossless\. /)
    .waitFor();
  expect(await strategy("Lossless").getAttribute("aria-pressed")).toBe("true");
  await card("Summary cost by profile").getByText("recommended", { exact: true }).waitFor();
  await scrollToRow(rig.page, "[data-fate=referenced]");
  const referenced = rig.page.locator("[data-fate=referenced]").first();
  const reference = referenced.locator(".reference").first();
  await reference.click();
  expect(await reference.getAttribute("aria-expanded")).toBe("true");
  const replaced = (await referenced.locator(".expanded").textContent()) ?? "";
  expect(replaced).toMatch(/\w{4}/);
  expect(await referenced.locator(".text-block.removed").textContent()).toContain(replaced);
  expect(await axeFaults(rig.page)).toEqual([]);
  await reference.click();
  await expect.poll(() => referenced.locator(".expanded").count()).toBe(0);
});

it("shows another strategy side by side and inline, with its passes and facts", async () => {
  await strategy("Native").click();
  await card("Passes")
    .getByText(/^summarize: \d+ edits?$/)
    .waitFor();
  await card("Passes")
    .getByText(/survived the summary/)
    .waitFor();
  await scrollToRow(rig.page, "[data-fate=summarised]");
  await rig.page.getByText("Inline", { exact: true }).click();
  await card("Before and after").locator("del").first().waitFor();
  expect(await axeFaults(rig.page)).toEqual([]);
  expect(await phoneOverflow(rig.page)).toBe(0);
});

it("analyzes a chosen file", async () => {
  const chosen = rig.page.waitForEvent("filechooser");
  await rig.page.getByRole("button", { name: "Choose file" }).click();
  await (await chosen).setFiles({ name: "chat.json", mimeType: "application/json", buffer: Buffer.from(CHAT) });
  await card("chat.json").getByText("openai-chat, 81 messages, tokens counted for gpt-4o-mini").waitFor();
});

it("analyzes a dropped file", async () => {
  const { text } = await ask<{ readonly text: string }>(rig, "/examples/planning");
  const files = await rig.page.evaluateHandle((dropped) => {
    const data = new DataTransfer();
    data.items.add(new File([dropped], "plans.json"));
    return data;
  }, text);
  const place = rig.page.locator(".drop");
  await place.dispatchEvent("dragover", { dataTransfer: files });
  await rig.page.locator(".drop[data-over=true]").waitFor();
  await place.dispatchEvent("drop", { dataTransfer: files });
  await card("plans.json").getByText("21 messages").waitFor();
  expect(await rig.page.locator(".drop[data-over=true]").count()).toBe(0);
});

it("shows an error for a file that is not a conversation", async () => {
  const chosen = rig.page.waitForEvent("filechooser");
  await rig.page.getByRole("button", { name: "Choose file" }).click();
  await (await chosen).setFiles({ name: "notes.json", mimeType: "application/json", buffer: Buffer.from("no words") });
  await rig.page
    .getByRole("alert")
    .getByText(/JSON|read/)
    .waitFor();
  expect(rig.complaints.splice(0)).toEqual([expect.stringContaining("400")]);
});

it("stores nothing of the conversation", () => {
  const bytes = readFileSync(rig.storePath, "latin1") + readFileSync(`${rig.storePath}-wal`, "latin1");
  expect(bytes).not.toContain("meaning of word");
});
