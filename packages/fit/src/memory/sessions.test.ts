import { hash } from "node:crypto";
import { expect, it } from "vitest";
import { makeSessions, type Sessions } from "./sessions.ts";

const OWNER = { credential: "", ownerOf: () => "", bindingOf: () => undefined };

/** Names the session of a call. Messages of the assistant begin with "a"; prefixes are the messages joined. */
function name(sessions: Sessions, id: string, words: string, { tenant = "", system = "" } = {}): string {
  const texts = words.split(" ");
  const messages = texts.map((text) => ({ role: text.startsWith("a") ? ("assistant" as const) : ("user" as const) }));
  const prefixes = () => texts.map((_, index) => texts.slice(0, index + 1).join("+"));
  const history = { messages: messages.map(asKnown), prefixes, headPrint: () => system };
  return sessions.nameOf({ id, caller: { ...OWNER, tenant } }, history);
}

/** The name of the first session that starts with these messages and this system prompt. */
const first = (start: string, system = "") => hash("sha256", `${system} ${start}`);

function asKnown({ role }: { readonly role: "user" | "assistant" }) {
  const prints = { fingerprint: "", looseFingerprint: "", clearable: "", contentPrint: "" };
  const figures = { images: 0, imageBytes: 0, cacheMarks: 0 };
  const flags = { hasToolCalls: false, hasMedia: false, isCachedLong: false, isUserAuthored: true, isPlainText: true };
  return { role, ...prints, ...figures, ...flags, makeUp: [] };
}

it("keeps the turns of a conversation together", () => {
  const sessions = makeSessions();
  expect(name(sessions, "1", "u1")).toBe(first("u1"));
  expect(name(sessions, "2", "u1 a1 u2")).toBe(first("u1"));
  expect(name(sessions, "3", "u1 a1 u2 a2 u3")).toBe(first("u1"));
  expect(name(sessions, "3", "u1 a1 u2 a2 u3")).toBe(first("u1"));
});

it("separates one-off requests with the same words", () => {
  const sessions = makeSessions();
  expect(["1", "2", "3"].map((id) => name(sessions, id, "hi"))).toEqual([first("hi"), "2", "3"]);
  expect(name(sessions, "4", "hi", { tenant: "other" })).toBe(first("hi"));
});

it("separates conversations that start with the same words", () => {
  const sessions = makeSessions();
  expect([name(sessions, "1", "hi"), name(sessions, "2", "hi")]).toEqual([first("hi"), "2"]);
  const [one, two] = [name(sessions, "3", "hi a1 u2"), name(sessions, "4", "hi a2 u2")];
  expect(new Set([one, two])).toEqual(new Set([first("hi"), "2"]));
  expect(name(sessions, "5", "hi a1 u2 a3 u3")).toBe(one);
  expect(name(sessions, "6", "hi a2 u2 a4 u3")).toBe(two);
});

it("keeps a repeated turn in its session", () => {
  const sessions = makeSessions();
  name(sessions, "1", "u1");
  expect([name(sessions, "2", "u1 a1 u2"), name(sessions, "3", "u1 a1 u2")]).toEqual([first("u1"), first("u1")]);
});

it("separates runs that start with the same words one after the other", () => {
  const sessions = makeSessions();
  const run = (from: number, system: string) =>
    ["hi", `hi a${from} u2`, `hi a${from} u2 a3 u3`].map((words, index) => {
      return name(sessions, `${from + index}`, words, { system });
    });
  expect(new Set(run(10, "one"))).toEqual(new Set([first("hi", "one")]));
  expect(new Set(run(20, "two"))).toEqual(new Set([first("hi", "two")]));
  expect(new Set(run(30, "one"))).toEqual(new Set(["30"]));
});

it("separates simultaneous runs with the same words and replies by their system prompts", () => {
  const sessions = makeSessions();
  const turns = ["hi", "hi a1 u2", "hi a1 u2 a2 u3"];
  const names = turns.map((words, index) =>
    ["one", "two"].map((system) => name(sessions, `${index}${system}`, words, { system })),
  );
  expect(names).toEqual(turns.map(() => [first("hi", "one"), first("hi", "two")]));
});

it("keeps a conversation with another system prompt or an edited history in its session", () => {
  const sessions = makeSessions();
  name(sessions, "1", "hi", { system: "12:00" });
  expect(name(sessions, "2", "hi a1 u2", { system: "12:01" })).toBe(first("hi", "12:00"));
  expect(name(sessions, "3", "hi a9 u9", { system: "12:02" })).toBe(first("hi", "12:00"));
});

it("names a conversation by its first turn after a restart", () => {
  expect(name(makeSessions(), "1", "u1 u2 a1 u3 a2 u4")).toBe(first("u1+u2"));
  expect(name(makeSessions(), "1", "a1 u1")).toBe(first("a1"));
});

it("asks for a description a few times, until there is one", () => {
  const sessions = makeSessions();
  expect([1, 2, 3, 4].map(() => sessions.lacksDescription("", "s"))).toEqual([true, true, true, false]);
  sessions.forget("", "s");
  expect(sessions.lacksDescription("", "s")).toBe(true);
  sessions.described("", "s");
  expect(sessions.lacksDescription("", "s")).toBe(false);
});

it("forgets the oldest of very many sessions, also if a hundred of them are alike", () => {
  const sessions = makeSessions();
  for (let start = 0; start < 300; start++) {
    for (let each = 0; each < 100; each++) name(sessions, `${start}-${each}`, `u${start}`);
  }
  const alike = (start: number) => [1, 2].map((turn) => name(sessions, `${turn}`, `u${start} a${turn} u`));
  expect(alike(299)).toEqual([first("u299"), "299-1"]);
  expect(alike(0)).toEqual([first("u0"), first("u0")]);
});
