import type { Claim } from "../memory/claims.ts";
import { epochName } from "../memory/epochs.ts";
import type { FitRequest } from "./fit-request.ts";

/** Paid work that only one of the gateways on a store should do for a conversation. */
export interface Making<Made> {
  /**
   * Does the work. It spends nothing before `ours` has resolved, which throws `LeaseTaken` if another gateway works on it. Free work does
   * not call `ours`: doing it twice costs less than agreeing on who does it.
   */
  readonly make: (ours: () => Promise<void>) => Promise<Made>;
  /** Called when another gateway is waited for. */
  readonly onWait: () => void;
  readonly wait: (ms: number) => Promise<void>;
}

/** Another gateway works on it or has finished it. */
export class LeaseTaken extends Error {}

/**
 * Has work done by one gateway at a time. Returns undefined if another gateway has finished it meanwhile, or does not finish it within the
 * time that a request waits for a summary. If that gateway dies, its work is taken over.
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

/** The result of an attempt to take the lease: a claim, held by another gateway, or the work is done already. */
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

/** Claims a request's conversation, unless it has a condensation that is new. */
function claimFor(fitRequest: FitRequest): () => Promise<Claimed> {
  const { state, scope, history } = fitRequest;
  const prefixes = history.prefixes();
  const before = new Set(state.epochs.known(fitRequest).map(epochName));
  return async () => {
    const claim = await state.claims.take(scope, prefixes);
    if (claim === undefined) return "taken";
    const epochs = await state.epochs.find(fitRequest);
    if (epochs.every((epoch) => epoch.isPlaceholder || epoch.from > 0 || before.has(epochName(epoch)))) return claim;
    void claim.release();
    state.jobs.succeed(scope, prefixes);
    return "made";
  };
}

const FIRST_PAUSE_MS = 50;
const LAST_PAUSE_MS = 1_000;
const GROWTH = 1.5;

/** Growing pauses that add up to `totalMs`. */
function* pauses(totalMs: number): Generator<number> {
  let pauseMs = FIRST_PAUSE_MS;
  for (let leftMs = totalMs; leftMs > 0; leftMs -= pauseMs, pauseMs = Math.min(pauseMs * GROWTH, LAST_PAUSE_MS)) {
    yield Math.min(pauseMs, leftMs);
  }
}
