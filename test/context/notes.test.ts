import { answerOffline, condenseInSteps, driveSync, findStrategy, planCondensation } from "@longhaul/condense";
import { isJsonObject, type JsonValue, type Request, type WireId } from "@longhaul/conversation";
import {
  makeAssistant,
  makeConversation,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import { sha256 } from "@longhaul/fit";
import { makeTokenCounters } from "@longhaul/models";
import { codecNamed } from "@longhaul/wire";
import { describe, expect, it } from "vitest";

const WIRES: readonly WireId[] = ["openai-chat", "openai-responses", "anthropic-messages", "gemini"];
const NOTE = "[Note from Longhaul";
const counter = await makeTokenCounters({ hash: sha256 }).counterFor("o200k");

const LINES = Array.from({ length: 80 }, (_, line) => `export const value${line} = compute(${line});`).join("\n");
const step = (index: number) => [
  makeAssistant([
    `I look at module ${index}.`,
    makeToolCall(`c${index}`, { name: "read_file", input: { path: `src/module${index}.ts` } }),
  ]),
  makeUser(makeToolResult(`c${index}`, `// module ${index}\n${LINES}`)),
];
const SESSION = makeConversation([
  makeUser("Tidy up the modules, and keep their names."),
  ...Array.from({ length: 20 }, (_, index) => step(index)).flat(),
  makeAssistant("The first half is done."),
  makeUser("Go on with the second half."),
  ...Array.from({ length: 20 }, (_, index) => step(index + 20)).flat(),
]);

function condensed(strategy: string) {
  const windowTokens = Math.floor(counter.countConversation(SESSION) / 4);
  const plan = planCondensation({ strategy: findStrategy(strategy), windowTokens, fallbacks: [] });
  const running = condenseInSteps(SESSION, { ...plan, counter, hash: sha256 });
  return driveSync(running, (ask) => answerOffline(ask, counter)).conversation;
}

/** Texts inside a value, with the role of the entry around them. */
function textsIn(value: JsonValue, role: string): { readonly role: string; readonly text: string }[] {
  if (typeof value === "string") return [{ role, text: value }];
  if (typeof value !== "object" || value === null) return [];
  const entries = Object.values(value);
  return entries.flatMap((inner) => textsIn(inner, role));
}

describe.each(["smart", "middle-out", "truncation", "sliding-window", "native"])("a note of %s", (strategy) => {
  it.each(WIRES)("is never a message of its own in %s, and no message of the user ends with it alone", (wire) => {
    const conversation = condensed(strategy);
    const request: Request = { model: "m", conversation, stream: false, sampling: {}, maxOutputTokens: 100 };
    const codec = codecNamed(wire);
    const { body } = codec.encodeRequest(request, { model: "m" });
    const messages = body[codec.messagesField];
    const entries = Array.isArray(messages) ? messages.filter(isJsonObject) : [];
    const texts = entries.map((entry) => textsIn(entry, String(entry.role ?? entry.type)).map(({ text }) => text));
    const noted = texts.filter((inside) => inside.some((text) => text.includes(NOTE)));
    expect(noted.length).toBeLessThanOrEqual(1);
    for (const inside of noted) {
      expect(inside.some((text) => text.includes(" ") && !text.startsWith(NOTE))).toBe(true);
    }
    expect(codec.decodeRequest(body).conversation.messages.length).toBeGreaterThan(0);
  });
});
