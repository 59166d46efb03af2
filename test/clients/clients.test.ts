import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nameOf } from "./client.ts";
import { CLIENTS } from "./clients.ts";
import { ERRAND, ERRAND_DONE } from "./errand.ts";
import { install } from "./install.ts";
import { observeIsolated, whyNotIsolated } from "./isolate.ts";
import { LAST_WORDS, LEAVES, TASK } from "./ledger.ts";
import { writeMatrix } from "./matrix.ts";
import { compactionsIn, type Observation } from "./observation.ts";

const INSTALL_MS = 600_000;
const RUN_MS = 360_000;

const why = whyNotIsolated();
const seen = new Map<string, Observation>();
const wanted = (process.env.LONGHAUL_CLIENTS ?? "").split(",").filter((id) => id !== "");
const chosen = CLIENTS.filter(({ id }) => wanted.length === 0 || wanted.includes(id));

if (why !== undefined) process.stderr.write(`Skipping all clients: ${why}\n`);

describe.skipIf(why !== undefined).each(chosen.map((client) => [nameOf(client), client] as const))(
  "%s",
  (_, client) => {
    let observation: Observation;
    beforeAll(async () => {
      install(client);
      observation = await observeIsolated(client, TASK);
      seen.set(nameOf(client), observation);
    }, INSTALL_MS + RUN_MS);

    it("finishes its task", () => {
      const { exitCode, printed } = observation;
      expect({ exitCode, printed }).toEqual({ exitCode: 0, printed: expect.stringContaining(LAST_WORDS) });
    });

    it.skipIf(client.compacts === true)("outgrows the window", () => {
      const outgrown = ownRequests().filter(({ originalTokens, windowTokens }) => originalTokens > windowTokens);
      expect(outgrown).not.toEqual([]);
    });

    it("needs a turn for every file, one to end, and few more: nothing is read twice", () => {
      expect(ownRequests().length).toBeGreaterThan(LEAVES);
      expect(ownRequests().length).toBeLessThan(LEAVES * 1.2);
    });

    it("uses its own format and gets no errors", () => {
      const outcomes = new Set(ownRequests().map(({ wire, status, errorCode }) => `${wire} ${status} ${errorCode}`));
      expect([...outcomes]).toEqual([`${client.wire} 200 `]);
      expect(observation.requests.filter(({ errorCode }) => errorCode === "request.too-large")).toEqual([]);
    });

    it.skipIf(client.compacts !== true)("has its history compacted more than once, and continues", () => {
      expect(compactionsIn(ownRequests())).toBeGreaterThan(1);
    });

    it.skipIf(client.compacts === true)("is condensed consistently from turn to turn", () => {
      const origins = ownRequests().map(({ origin }) => origin);
      expect(observation.condensations).toBeGreaterThan(1);
      expect(origins.filter((origin) => origin === "reused").length).toBeGreaterThan(5);
      expect(ownRequests().filter(({ sentTokens, windowTokens }) => sentTokens > windowTokens)).toEqual([]);
    });

    it("leaves none of its texts in the database", () => {
      expect(observation.stored).toEqual([]);
    });

    /** The requests for the task's model: clients use other models for titles and the like. */
    function ownRequests() {
      return observation.requests.filter(({ model, originalTokens }) => model === client.model && originalTokens > 0);
    }
  },
);

const delegating = chosen.filter(({ delegate, variant }) => delegate !== undefined && variant === undefined);

it.skipIf(why !== undefined).each(delegating.map((client) => [nameOf(client), client] as const))(
  "%s: a sub-agent has its own session below that of the main thread",
  async (_, client) => {
    install(client);
    const { exitCode, printed, sessions } = await observeIsolated(client, ERRAND);
    expect({ exitCode, printed }).toEqual({ exitCode: 0, printed: expect.stringContaining(ERRAND_DONE) });
    const [main, ...others] = sessions.filter(({ parent }) => parent === "");
    expect([main, others]).toEqual([{ session: expect.stringMatching(/./), parent: "" }, []]);
    expect(sessions.filter(({ parent }) => parent !== "")).toEqual([
      { session: expect.stringMatching(/./), parent: main?.session },
    ]);
  },
  INSTALL_MS + RUN_MS,
);

afterAll(() => {
  if (seen.size === CLIENTS.length) writeMatrix(CLIENTS, seen);
});
