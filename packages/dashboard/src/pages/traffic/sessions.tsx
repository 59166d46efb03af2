import type { SessionAnswer, SessionsAnswer } from "@longhaul/admin/api";
import { Page, TermName } from "../../components/page.tsx";
import { hrefToSession, type Route } from "../../components/router.ts";
import { NoTraffic } from "../../components/status.tsx";
import { type Column, ListCard, TruncatedName } from "../../components/table.tsx";
import { type ListSource, useList } from "../../gateway/list.tsx";
import { common } from "../../strings/common.ts";
import { formatAgo, formatCount, formatPercent, formatUsd } from "../../strings/format.ts";
import { strings } from "../../strings/sessions.ts";
import { Session } from "./session.tsx";

export function Sessions({ route }: { readonly route: Route }) {
  if (route.id !== "") return <Session session={route.id} tenant={route.query.tenant ?? ""} />;
  return <SessionList />;
}

function SessionList() {
  const list = useList("/sessions", {}, SOURCE);
  const empty = <NoTraffic title={strings.empty} />;
  return (
    <Page title={strings.title} lead={strings.lead}>
      <ListCard {...list} label={strings.title} keyOf={SOURCE.keyOf} columns={COLUMNS} empty={empty} />
    </Page>
  );
}

const SOURCE: ListSource<SessionsAnswer, SessionAnswer> = {
  refreshOn: ["request", "condensation"],
  rowsIn: ({ sessions }) => sessions,
  keyOf: ({ tenant, session }) => `${tenant}/${session}`,
  atMsOf: ({ lastAtMs }) => lastAtMs,
  after: ({ lastAtMs, session, tenant }) => ({
    beforeMs: String(lastAtMs),
    beforeSession: session,
    beforeTenant: tenant,
  }),
};

const { columns } = strings;

const COLUMNS: readonly Column<SessionAnswer>[] = [
  {
    name: columns.session,
    render: (row) => (
      <>
        <a href={hrefToSession(row)} class="session-name" title={row.session}>
          {row.session}
        </a>
        {row.parent === "" ? null : <span class="badge">{strings.subAgent}</span>}
      </>
    ),
  },
  { ...columns.window, render: (row) => <WindowFill {...row} /> },
  { name: common.model, render: ({ model }) => <TruncatedName name={model} /> },
  { name: columns.turns, isNumeric: true, render: ({ requests }) => formatCount(requests) },
  { name: columns.condensations, isNumeric: true, render: ({ condensations }) => countOrDash(condensations) },
  { name: common.cost, isNumeric: true, render: ({ costUsd }) => formatUsd(costUsd) },
  { name: columns.saved, isNumeric: true, render: ({ savedUsd }) => formatUsd(savedUsd) },
  { name: columns.errors, isNumeric: true, render: ({ errors }) => countOrDash(errors) },
  { name: columns.lastActive, isNumeric: true, render: ({ lastAtMs }) => formatAgo(lastAtMs, Date.now()) },
];

function countOrDash(count: number): string {
  return count === 0 ? common.missing : formatCount(count);
}

function WindowFill({ windowTokens, sentTokens, originalTokens }: SessionAnswer) {
  if (windowTokens === 0) return <span class="soft">{common.unknown}</span>;
  const share = sentTokens / windowTokens;
  return (
    <div class="fill">
      <Gauge share={share} />
      <span class="number small">{strings.fill(formatPercent(share), formatCount(windowTokens))}</span>
      {originalTokens > windowTokens ? (
        <span class="badge good">
          <TermName name={strings.keptAlive} help={strings.keptAliveHelp} />
        </span>
      ) : null}
    </div>
  );
}

/** From this share on, the gauge warns. */
const HIGH_SHARE = 0.9;

function Gauge({ share }: { readonly share: number }) {
  return (
    <span class="gauge" aria-hidden="true" data-high={share >= HIGH_SHARE}>
      <i style={{ width: `${Math.min(100, 100 * share)}%` }} />
    </span>
  );
}
