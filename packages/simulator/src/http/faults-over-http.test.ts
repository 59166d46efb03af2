import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSimulator, type Simulator } from "../simulator.ts";
import { FAULT_NAMES } from "./faults.ts";

let simulator: Simulator;
const waits: number[] = [];
beforeAll(async () => {
  simulator = await openSimulator({
    wait: async (ms) => {
      waits.push(ms);
    },
  });
});
afterAll(() => simulator.close());

const APIS = {
  anthropic: {
    path: "/v1/messages",
    headers: { "x-api-key": "key", "anthropic-version": "2023-06-01" },
    body: {
      model: "claude-opus-4-6",
      max_tokens: 200,
      messages: [{ role: "user", content: "naïve café, twice: naïve café" }],
    },
  },
  "openai-chat": {
    path: "/v1/chat/completions",
    headers: { authorization: "Bearer key" },
    body: { model: "gpt-4o", messages: [{ role: "user", content: "naïve café, twice: naïve café" }] },
  },
  "openai-responses": {
    path: "/v1/responses",
    headers: { authorization: "Bearer key" },
    body: { model: "gpt-4o", input: "naïve café, twice: naïve café" },
  },
} as const;

interface Outcome {
  readonly status?: number;
  readonly text: string;
  /** How reading ended. */
  readonly end: "done" | "broken" | "left";
}

/** Sends a request and reads until the response ends, breaks or hangs. */
async function send(api: keyof typeof APIS, fault: string, stream: boolean): Promise<Outcome> {
  const { path, headers, body } = APIS[api];
  const gone = new AbortController();
  let text = "";
  let status: number | undefined;
  const isSilent = fault === "hang" || fault === "stall";
  const timer = isSilent ? setTimeout(() => gone.abort(), 60) : undefined;
  const given = { ...headers, "content-type": "application/json", "x-simulate-fault": fault };
  const known = () => (status === undefined ? {} : { status });
  try {
    const response = await fetch(`${simulator.url}${path}`, {
      method: "POST",
      headers: given,
      body: JSON.stringify({ ...body, stream }),
      signal: gone.signal,
      redirect: "manual",
    });
    status = response.status;
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true });
    return { ...known(), text, end: "done" };
  } catch {
    return { ...known(), text, end: gone.signal.aborted ? "left" : "broken" };
  } finally {
    clearTimeout(timer);
  }
}

/** The outcome, for a streaming client, of faults that do not end with status 200 and a complete response. */
const ENDS: Readonly<Record<string, Partial<Outcome>>> = {
  status: { status: 500 },
  "html-error": { status: 502 },
  redirect: { status: 307 },
  "wrong-length": { status: 200, end: "broken" },
  stall: { status: 200, end: "left" },
  hang: { end: "left" },
  "reset-before-headers": { end: "broken" },
  "reset-after-headers": { end: "broken" },
  "reset-mid-stream": { end: "broken" },
  "reset-mid-event": { end: "broken" },
  "reset-mid-character": { end: "broken" },
  "close-mid-stream": { end: "broken" },
};

describe.each(Object.keys(APIS) as (keyof typeof APIS)[])("%s", (api) => {
  it.each(FAULT_NAMES)("sends %s to streaming and plain clients", async (fault) => {
    const value = fault === "huge-event" ? "=100000" : fault === "retry-after-date" ? "=2026-11-15T10:00:00Z" : "";
    for (const stream of [true, false]) {
      const outcome = await send(api, `${fault}${value}`, stream);
      const expected = { status: 200, end: "done", ...ENDS[fault] };
      if (outcome.status === undefined) expect(expected.end).not.toBe("done");
      else expect(outcome.status).toBe(expected.status);
      expect(outcome.end).toBe(expected.end);
      expect(outcome.text).not.toContain("the simulator failed");
    }
  });
});

it("waits as long as requested", async () => {
  waits.length = 0;
  for (const fault of ["slow-first-byte=70", "slow-first-event=80", "silence=90"]) await send("anthropic", fault, true);
  expect(waits).toEqual([70, 80, 90]);
});

it("changes the response", async () => {
  expect((await send("anthropic", "crlf", true)).text).toContain("\r\n\r\n");
  expect((await send("anthropic", "missing-event-lines", true)).text).not.toContain("event:");
  expect((await send("anthropic", "error-event", true)).text).toMatch(/event: error\ndata: .*overloaded_error/);
  expect((await send("openai-chat", "no-end", true)).text).not.toContain("[DONE]");
  expect((await send("anthropic", "huge-event", true)).text.length).toBeGreaterThan(10_000_000);
  expect((await send("anthropic", "usage-missing", true)).text).not.toContain("input_tokens");
  const whole = (await send("anthropic", "", true)).text;
  for (const harmless of ["split", "gzip", "br", "zstd", "split=7"])
    expect((await send("anthropic", harmless, true)).text).toBe(whole);
});
