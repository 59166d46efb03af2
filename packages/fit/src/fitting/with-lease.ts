import type { Claim } from "../memory/claims.ts";
import { epochName } from "../memory/epochs.ts";
import type { FitRequest } from "./fit-request.ts";

/** Something on which only one of the gateways on a store is to spend money for a conversation. */
export interface Making<Made> {
  /**
   * Makes it. Nothing is spent before `ours` has resolved; it throws `LeaseTaken` where another gateway is at it. What costs nothing need not call
   * it: to make that twice takes less than to agree on who does.
   */
  readonly make: (ours: () => Promise<void>) => Promise<Made>;
  /** Told when another gateway is waited for. */
  readonly onWait: () => void;
  readonly wait: (ms: number) => Promise<void>;
}

/** Another gateway is at it, or has done it. */
export class LeaseTaken extends Error {}

/**
 * Has something made by one gateway at a time. Nothing where another one has made it meanwhile, or does not get done with it for as long as
 * a request waits for a summary; one that dies has its work taken over.
 */
export async function withLease<Made>(
  fitRequest: FitRequest,
  { make, onWait, wait }: Making<Made>,
): Promise<Made | undefined> {
  const claim = claimFor(fitRequest);
  const made = await makeOnClaim(make, claim);
  if (made !== "taken") return made;
  onWait();
  for (const ms of pauses(fitRequest.destination.context.waitSeconds * 1_000)) {
    await wait(ms);
    const claimed = await claim();
    if (claimed === "made") return undefined;
    if (claimed !== "taken") return await make(() => Promise.resolve()).finally(() => void claimed.release());
  }
  return undefined;
}

/** What came of an attempt to claim a conversation: it is claimed, another gateway has it, or has made what is wanted. */
type Claimed = Claim | "taken" | "made";

async function makeOnClaim<Made>(
  make: Making<Made>["make"],
  claim: () => Promise<Claimed>,
): Promise<Made | "taken" | undefined> {
  let claiming: Promise<Claimed> | undefined;
  const ours = async () => {
    claiming ??= claim();
    if (typeof (await claiming) === "string") throw new LeaseTaken();
  };
  try {
    return await make(ours);
  } catch (error) {
    if (!(error instanceof LeaseTaken)) throw error;
    return (await claiming) === "taken" ? "taken" : undefined;
  } finally {
    const claimed = await claiming;
    if (typeof claimed === "object") void claimed.release();
  }
}

/** Claims a turn's conversation, unless there is a condensation of it that was not there before. */
function claimFor(fitRequest: FitRequest): () => Promise<Claimed> {
  const { state, scope, history } = fitRequest;
  const prefixes = history.prefixes();
  const before = new Set(state.shelf.known(fitRequest).map(epochName));
  return async () => {
    const claim = await state.claims.take(scope, prefixes);
    if (claim === undefined) return "taken";
    const epochs = await state.shelf.find(fitRequest);
    if (epochs.every((epoch) => epoch.isStandIn || epoch.from > 0 || before.has(epochName(epoch)))) return claim;
    void claim.release();
    state.jobs.succeed(scope, prefixes);
    return "made";
  };
}

const FIRST_PAUSE_MS = 50;
const LAST_PAUSE_MS = 1_000;
const GROWTH = 1.5;

/** Pauses that grow, and take this long in all. */
function* pauses(totalMs: number): Generator<number> {
  let pauseMs = FIRST_PAUSE_MS;
  for (let leftMs = totalMs; leftMs > 0; leftMs -= pauseMs, pauseMs = Math.min(pauseMs * GROWTH, LAST_PAUSE_MS)) {
    yield Math.min(pauseMs, leftMs);
  }
}
