import { existsSync, readdirSync, readFileSync } from "node:fs";
import { type Message, textBlock } from "@longhaul/conversation";
import { describe, expect, it } from "vitest";
import { decompose } from "./contents.ts";

const FOLDER = new URL("../../../../../shared/data/sessions/roo/", import.meta.url);
const files = existsSync(FOLDER) ? readdirSync(FOLDER).filter((name) => name.endsWith(".json")) : [];

interface RawMessage {
  readonly role: "user" | "assistant";
  readonly content: string | readonly { readonly text: string }[];
}

function readSession(name: string): Message[] {
  const raw: readonly RawMessage[] = JSON.parse(readFileSync(new URL(name, FOLDER), "utf8"));
  return raw.map(({ role, content }) => {
    const texts = typeof content === "string" ? [content] : content.map(({ text }) => text);
    return { role, blocks: texts.map(textBlock) };
  });
}

it.skipIf(files.length > 0)("has no recorded sessions", () => {
  expect(files).toEqual([]);
});

describe.each(files)("the recorded session %s", (name) => {
  const messages = readSession(name);
  const { contents, links, userAuthored } = decompose(messages);
  const uses = contents.flatMap(({ use }) => (use === undefined || use.name === "environment_details" ? [] : [use]));

  it("has only its last call open, and no result without a call", () => {
    expect(uses.every(({ callMessage }) => callMessage !== -1)).toBe(true);
    const open = uses.filter(({ resultMessage }) => resultMessage === -1).map(({ callMessage }) => callMessage);
    expect(open.every((message) => message >= messages.length - 2)).toBe(true);
    expect(links).toHaveLength(new Set(uses.map(({ resultMessage }) => resultMessage).filter((at) => at !== -1)).size);
  });

  it("has the user's text at the start, and little of it afterwards", () => {
    expect(userAuthored[0]).toBe(true);
    const own = contents.filter(({ level, role }) => level === "text" && role === "user");
    const share =
      own.reduce((sum, { text }) => sum + text.length, 0) / contents.reduce((sum, { text }) => sum + text.length, 0);
    expect(share).toBeLessThan(0.05);
    expect(own.map(({ at }) => at.message)).toEqual([...userAuthored.keys()].filter((index) => userAuthored[index]));
  });

  it("loses nothing but tags and announcements", () => {
    const raw = messages
      .flatMap(({ blocks }) => blocks)
      .reduce((sum, block) => sum + (block.type === "text" ? block.text.length : 0), 0);
    expect(contents.reduce((sum, { text }) => sum + text.length, 0) / raw).toBeGreaterThan(0.85);
  });
});
