import { expect, it } from "vitest";
import { makeSessions, type Sessions } from "./sessions.ts";

const OWNER = { credential: "", ownerOf: () => "", bindingOf: () => undefined };

/** Names the session of a call. Messages of the assistant begin with "a"; prefixes are the messages joined. */
function name(sessions: Sessions, id: string, words: string, tenant = ""): string {
  const texts = words.split(" ");
  const messages = texts.map((text) => ({ role: text.startsWith("a") ? ("assistant" as const) : ("user" as const) }));
  const prefixes = () => texts.map((_, index) => texts.slice(0, index + 1).join("+"));
  return sessions.nameOf({ id, caller: { ...OWNER, tenant } }, { messages: messages.map(asKnown), prefixes });
}

function asKnown({ role }: { readonly role: "user" | "assistant" }) {
  const prints = { fingerprint: "", looseFingerprint: "", clearable: "", contentPrint: "" };
  const figures = { images: 0, imageBytes: 0, cacheMarks: 0 };
  const flags = { hasToolCalls: false, hasMedia: false, isCachedLong: false, isUserAuthored: true, isPlainText: true };
  return { role, ...prints, ...figures, ...flags, makeUp: [] };
}

it("keeps the turns of a conversation together", () => {
  const sessions = makeSessions();
  expect(name(sessions, "1", "u1")).toBe("u1");
  expect(name(sessions, "2", "u1 a1 u2")).toBe("u1");
  expect(name(sessions, "3", "u1 a1 u2 a2 u3")).toBe("u1");
  expect(name(sessions, "3", "u1 a1 u2 a2 u3")).toBe("u1");
});

it("separates one-off requests with the same words", () => {
  const sessions = makeSessions();
  expect(["1", "2", "3"].map((id) => name(sessions, id, "hi"))).toEqual(["hi", "2", "3"]);
  expect(name(sessions, "4", "hi", "other tenant")).toBe("hi");
});

it("separates conversations that start with the same words", () => {
  const sessions = makeSessions();
  expect([name(sessions, "1", "hi"), name(sessions, "2", "hi")]).toEqual(["hi", "2"]);
  const [one, two] = [name(sessions, "3", "hi a1 u2"), name(sessions, "4", "hi a2 u2")];
  expect(new Set([one, two])).toEqual(new Set(["hi", "2"]));
  expect(name(sessions, "5", "hi a1 u2 a3 u3")).toBe(one);
  expect(name(sessions, "6", "hi a2 u2 a4 u3")).toBe(two);
});

it("keeps a repeated turn in its session", () => {
  const sessions = makeSessions();
  name(sessions, "1", "u1");
  expect([name(sessions, "2", "u1 a1 u2"), name(sessions, "3", "u1 a1 u2")]).toEqual(["u1", "u1"]);
});

it("names a conversation by its first turn after a restart", () => {
  expect(name(makeSessions(), "1", "u1 u2 a1 u3 a2 u4")).toBe("u1+u2");
  expect(name(makeSessions(), "1", "a1 u1")).toBe("a1");
});

it("asks for a description a few times, until there is one", () => {
  const sessions = makeSessions();
  expect([1, 2, 3, 4].map(() => sessions.lacksDescription("", "s"))).toEqual([true, true, true, false]);
  sessions.forget("", "s");
  expect(sessions.lacksDescription("", "s")).toBe(true);
  sessions.described("", "s");
  expect(sessions.lacksDescription("", "s")).toBe(false);
});
