import { afterEach, describe, expect, it } from "vitest";
import { type BenchOptions, makeAsk, makeSent, openBench } from "../testing/summaries.ts";
import { candidatesFor } from "./candidates.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function candidates(summarizer: string | undefined, options: BenchOptions = {}) {
  const { context, close } = await openBench(options);
  closers.push(close);
  const settings = summarizer === undefined ? {} : { summarizer };
  return candidatesFor(makeAsk(), { ...context, settings }).map((candidate) => {
    if (!("destination" in candidate)) return candidate;
    const { destination, ...rest } = candidate;
    return {
      upstream: destination.handle.connection.upstream.id,
      model: destination.model,
      wire: destination.wire,
      ...rest,
    };
  });
}

const version = { "anthropic-version": "2023-06-01" };
const own = { upstream: "claude", model: "claude-sonnet-4-5", wire: "anthropic-messages", isOwn: true };

describe("candidatesFor", () => {
  it("returns the conversation's own model with the headers that apply to all calls", async () => {
    const headers = { "x-api-key": "c", "anthropic-beta": "b", ...version };
    const call = { ...headers, "idempotency-key": "i", accept: "text/event-stream" };
    expect(await candidates(undefined, { headers: call })).toEqual([{ ...own, headers }]);
  });

  it("gives the conversation's own model the headers of the sent request", async () => {
    const { context, close } = await openBench({});
    closers.push(close);
    const headers = { "x-api-key": "c", "anthropic-beta": "added" };
    const sent = { ...makeSent({}, "anthropic-messages"), headers };
    expect(candidatesFor(makeAsk(), { ...context, sent })).toMatchObject([{ isOwn: true, headers }]);
  });

  it("returns the profile first, without the client's headers", async () => {
    const headers = { authorization: "Bearer c", "anthropic-beta": "b", ...version };
    expect(await candidates("foreign", { headers })).toEqual([
      {
        upstream: "openai",
        model: "gpt-4o-mini",
        wire: "openai-responses",
        profile: "foreign",
        isOwn: false,
        headers: {},
      },
      { ...own, headers },
    ]);
  });

  it("returns the conversation's own model once if the profile names it", async () => {
    const [first, ...others] = await candidates("same");
    expect([first, others]).toMatchObject([{ ...own, profile: "same" }, []]);
  });

  it("accepts a server without a key and sends it no credential", async () => {
    const [first] = await candidates("local");
    expect(first).toMatchObject({ upstream: "local", headers: {} });
  });

  const shared = {
    routes: [{ match: "*", upstream: "own" }],
    profiles: {
      other: { upstream: "own", model: "claude-haiku-4-5" },
      sibling: { upstream: "second", model: "claude-haiku-4-5" },
    },
  };
  const upstreams = {
    own: { kind: "anthropic", baseUrl: "http://127.0.0.1:9" },
    second: { kind: "anthropic", baseUrl: "http://127.0.0.1:9" },
  };

  it.each(["other", "sibling"])(
    "passes the client's credential on to the upstream that it belongs to: %s",
    async (name) => {
      const headers = { "x-api-key": "c", "anthropic-beta": "b" };
      const [first] = await candidates(name, { headers, config: { ...shared, upstreams } });
      expect(first).toMatchObject({ model: "claude-haiku-4-5", headers: { "x-api-key": "c", ...version } });
    },
  );

  it("passes nothing on if the client sent no credential", async () => {
    const [first] = await candidates("sibling", { headers: {}, config: { ...shared, upstreams } });
    expect(first).toEqual({
      profile: "sibling",
      why: 'upstream "second" has no key, and the client\'s key belongs to another upstream',
    });
  });

  it("passes nothing on that the conversation itself is not sent with", async () => {
    const keyed = { ...upstreams, own: { ...upstreams.own, apiKey: "k" } };
    const [first] = await candidates("sibling", {
      headers: { "x-api-key": "c" },
      config: { ...shared, upstreams: keyed },
    });
    expect(first).toMatchObject({ profile: "sibling", why: expect.stringContaining("has no key") });
  });

  it("explains why a profile cannot be used", async () => {
    const away = { routes: shared.routes, upstreams: { ...upstreams, away: { kind: "simulator" } } };
    const config = { ...away, profiles: { gone: { upstream: "away", model: "m" } } };
    const { context, close } = await openBench({ config });
    closers.push(close);
    const snapshot = { ...context.snapshot, handles: new Map() };
    const [first] = candidatesFor(makeAsk(), { ...context, snapshot, settings: { summarizer: "gone" } });
    expect(first).toEqual({ profile: "gone", why: expect.stringContaining('upstream "away" is not configured') });
  });
});
