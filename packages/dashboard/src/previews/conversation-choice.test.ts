import type { EventsAnswer } from "@longhaul/admin/api";
import { describe, expect, it } from "vitest";
import { conversationBody, exampleOptions, recordedOptions, withLinked } from "./conversation-choice.tsx";

type Request = EventsAnswer["requests"][number];

const blank: Request = {
  id: "",
  atMs: 0,
  tenant: "",
  keyId: "",
  session: "",
  parent: "",
  wire: "",
  action: "",
  model: "",
  sentAs: "",
  upstream: "",
  status: 200,
  errorCode: "",
  errorMessage: "",
  isGone: false,
  ms: 0,
  firstByteMs: 0,
  addedMs: 0,
  attempts: 1,
  inputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  windowTokens: 0,
  originalTokens: 0,
  sentTokens: 0,
  strategy: "",
  origin: "",
  costUsd: 0,
  savedUsd: 0,
  deduplicatedUsd: 0,
  cachedUsd: 0,
  copiedMarks: 0,
  warnings: [],
  anatomy: {},
  title: "",
};

const requests: readonly Request[] = [
  { ...blank, id: "r3", session: "a", title: "Fix it", originalTokens: 12_300, origin: "reused", atMs: 60_000 },
  { ...blank, id: "r2", session: "b", originalTokens: 10 },
  { ...blank, id: "r1", session: "a", originalTokens: 9_000, origin: "new" },
];

describe("exampleOptions", () => {
  it("labels each example with its name and size", () => {
    const examples = [{ id: "fix", name: "A bug fix", description: "", messages: 12, bytes: 1 }];
    expect(exampleOptions({ examples })).toEqual([
      { value: "example fix", label: "A bug fix, 12 messages", conversation: { example: "fix" } },
    ]);
  });
});

describe("recordedOptions", () => {
  const options = (keep: string) => recordedOptions({ requests: [...requests] }, { keep, nowMs: 120_000 });

  it("offers the newest request of each session", () => {
    expect(options("all").map(({ value }) => value)).toEqual(["request r3", "request r2"]);
    expect(options("all")[0]).toMatchObject({ conversation: { requestId: "r3" } });
  });

  it("labels a session with its title, or with its name if it has none", () => {
    const labels = options("all").map(({ label }) => label);
    expect(labels).toEqual(["Fix it, 12.3K tokens, 1 min ago", "b, 10 tokens, 2 min ago"]);
  });

  it("offers only requests whose content is recorded", () => {
    expect(options("condensed").map(({ value }) => value)).toEqual(["request r3"]);
    expect(options("off")).toEqual([]);
  });
});

describe("conversationBody", () => {
  it("omits the name of a file", () => {
    expect(conversationBody({ text: "[]", name: "mine.json" })).toEqual({ text: "[]" });
    expect(conversationBody({ example: "fix" })).toEqual({ example: "fix" });
  });
});

it("offers the request of a link first, under the title of its session", () => {
  const listed = [{ value: "request b", label: "s", conversation: { requestId: "b" } }];
  const linked = { value: "request a", label: "Fix it", conversation: { requestId: "a" } };
  expect(withLinked(listed, { id: "a", title: "Fix it" })).toEqual([linked, ...listed]);
  expect(withLinked([...listed, { ...linked, label: "a" }], { id: "a", title: "Fix it" })).toEqual([linked, ...listed]);
  expect(withLinked(listed, undefined)).toBe(listed);
});
