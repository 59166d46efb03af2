import type { Epoch } from "@longhaul/store";

/** Names an epoch as it is now: one that took its place has another name. */
export function epochName({ scope, prefix, madeAtMs }: Epoch): string {
  return `${scope}/${prefix}/${madeAtMs}`;
}

/** What a report is filed under: the same conversation sent in another way has another size. */
export function formName(scope: string, epoch: Epoch | undefined): string {
  return epoch === undefined ? scope : epochName(epoch);
}
