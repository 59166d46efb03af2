import type { ShownKey } from "@longhaul/gateway";
import { spellCount, spellUsd } from "@longhaul/models/figures";
import type { KeyLimits, KeyUse } from "@longhaul/store";

/** A key in one line, for people. */
export function describeKey(key: ShownKey): string {
  const { id, name, hint, tenant, createdAtMs, revokedAtMs } = key;
  const owner = tenant === id ? "" : `, tenant ${tenant}`;
  const since = `made ${dayOf(createdAtMs)}`;
  const state = revokedAtMs === undefined ? since : `${since}, revoked ${dayOf(revokedAtMs)}`;
  const rest = [...limitsOf(key), ...settingsOf(key)].map((line) => `\n    ${line}`).join("");
  return `${id}  ${name}  ${hint}  ${state}${owner}${rest}`;
}

function dayOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, "2026-01-01".length);
}

const SPELLED: { readonly [Name in keyof Required<KeyLimits>]: (used: KeyUse, most: number) => string } = {
  requestsPerMinute: ({ requestsThisMinute }, most) =>
    `${spellCount(requestsThisMinute)} of ${spellCount(most)} requests this minute`,
  concurrent: ({ underWay }, most) => `${spellCount(underWay)} of ${spellCount(most)} requests under way`,
  usdPerDay: ({ usdToday }, most) => `${spellUsd(usdToday)} of ${spellUsd(most)} today`,
  usdPerMonth: ({ usdThisMonth }, most) => `${spellUsd(usdThisMonth)} of ${spellUsd(most)} this month`,
};

function limitsOf({ limits, used }: ShownKey): string[] {
  const { requestsPerMinute, concurrent, usdPerDay, usdPerMonth } = limits;
  const all = Object.entries({ requestsPerMinute, concurrent, usdPerDay, usdPerMonth });
  const spell = new Map<string, (used: KeyUse, most: number) => string>(Object.entries(SPELLED));
  return all.flatMap(([name, most]) => (most === undefined ? [] : [spell.get(name)?.(used, most) ?? ""]));
}

function settingsOf({ context }: ShownKey): string[] {
  const names = Object.keys(context);
  return names.length === 0 ? [] : [`context settings of its own: ${names.join(", ")}`];
}
