import type { Model } from "@longhaul/models/catalog";
import type { Notes } from "./api.ts";
import { addBilled, type Billed, costOf } from "./money.ts";

/** Notes what a call is billed: all its rounds, each at its own rate. */
export function noteBill(notes: Notes, { prices }: Model, rounds: readonly Billed[]): void {
  notes.billed = addBilled(rounds);
  if (prices !== undefined) notes.costUsd = rounds.reduce((sum, round) => sum + costOf(round, prices), 0);
}
