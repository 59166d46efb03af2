import type { CondensationAnswer, SessionDetailAnswer, SessionsAnswer } from "@longhaul/settings";
import { spellAgo, spellCount, spellUsd } from "../format.ts";
import { useAnswer } from "../gateway/gateway.tsx";
import { Empty } from "../parts/answered.tsx";
import { Card } from "../parts/page.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { hrefTo } from "../router.ts";
import { latestBy, latestSession, spellDifference } from "./actual-costs.ts";

const NEWS = ["condensation"];

/** What condensations by a strategy were estimated at, and what they cost. */
export function ActualCostsCard({ strategy }: { readonly strategy: string }) {
  const sessions = useAnswer<SessionsAnswer>("/sessions?limit=100", NEWS);
  const latest = sessions.value === undefined ? undefined : latestSession(sessions.value, strategy);
  const path =
    latest === undefined
      ? undefined
      : `/sessions/${encodeURIComponent(latest.session)}?tenant=${encodeURIComponent(latest.tenant)}`;
  const detail = useAnswer<SessionDetailAnswer>(path, NEWS);
  const rows = detail.value === undefined ? [] : latestBy(detail.value.condensations, strategy);
  return (
    <Card title="Estimated and actual cost" detail="its latest condensations, in one session">
      {rows.length === 0 ? (
        <Empty title="It has condensed nothing yet">
          <p>What each condensation was estimated at and what it cost will stand here side by side.</p>
        </Empty>
      ) : (
        <Table label="Estimated and actual cost" rows={rows} keyOf={({ id }) => id} columns={COLUMNS} />
      )}
    </Card>
  );
}

const COLUMNS: readonly Column<CondensationAnswer>[] = [
  {
    name: "When",
    show: ({ requestId, atMs }) => <a href={hrefTo("requests", requestId)}>{spellAgo(atMs, Date.now())}</a>,
  },
  { name: "Before", isFigure: true, show: ({ tokensBefore }) => spellCount(tokensBefore) },
  { name: "After", isFigure: true, show: ({ tokensAfter }) => spellCount(tokensAfter) },
  { name: "Estimated", isFigure: true, show: ({ estimatedUsd }) => spellUsd(estimatedUsd) },
  { name: "Actual", isFigure: true, show: ({ costUsd }) => spellUsd(costUsd) },
  { name: "Difference", show: spellDifference },
];
