import type { SessionAnswer, SessionsAnswer } from "@longhaul/admin/api";
import { Card, Page } from "../../components/page.tsx";
import { hrefTo, hrefToSession, type Route } from "../../components/router.ts";
import { Empty, Loaded, ShowMore } from "../../components/status.tsx";
import { type Column, Table, TruncatedName } from "../../components/table.tsx";
import { type ListSource, useList } from "../../gateway/list.tsx";
import { formatAgo, formatCount, formatPercent, formatUsd } from "../../strings/format.ts";
import { Session } from "./session.tsx";

/** Every conversation, and how full its window is. */
export function Sessions({ place }: { readonly place: Route }) {
  if (place.id !== "") return <Session session={place.id} tenant={place.query.tenant ?? ""} />;
  return <SessionList />;
}

function SessionList() {
  const { answer, more } = useList("/sessions", NONE, SOURCE);
  return (
    <Page title="Sessions" lead="Every conversation, the latest first, and how full its window is.">
      <Card>
        <Loaded query={answer}>
          {(sessions) =>
            sessions.length === 0 ? (
              <Empty title="No session yet">
                <p>
                  The <a href={hrefTo("")}>overview</a> tells how a client is pointed at this gateway.
                </p>
              </Empty>
            ) : (
              <Table label="Sessions" rows={sessions} keyOf={keyOf} columns={COLUMNS} />
            )
          }
        </Loaded>
        <ShowMore onMore={more} />
      </Card>
    </Page>
  );
}

const NONE = {};

function keyOf({ tenant, session }: SessionAnswer): string {
  return `${tenant}/${session}`;
}

const SOURCE: ListSource<SessionsAnswer, SessionAnswer> = {
  refreshOn: ["request", "condensation"],
  rowsIn: ({ sessions }) => sessions,
  keyOf,
  atMsOf: ({ lastAtMs }) => lastAtMs,
  after: ({ lastAtMs, session, tenant }) => ({
    beforeMs: String(lastAtMs),
    beforeSession: session,
    beforeTenant: tenant,
  }),
};

const COLUMNS: readonly Column<SessionAnswer>[] = [
  {
    name: "Session",
    render: (row) => (
      <>
        <a href={hrefToSession(row)} class="session-name" title={row.session}>
          {row.session}
        </a>
        {row.parent === "" ? null : <span class="badge">sub-agent</span>}
      </>
    ),
  },
  { name: "Window", render: (row) => <Fill {...row} /> },
  { name: "Model", render: ({ model }) => <TruncatedName name={model} /> },
  { name: "Turns", isNumeric: true, render: ({ requests }) => formatCount(requests) },
  {
    name: "Condensed",
    isNumeric: true,
    render: ({ condensations }) => (condensations === 0 ? "–" : `${condensations} ×`),
  },
  { name: "Spent", isNumeric: true, render: ({ costUsd }) => formatUsd(costUsd) },
  { name: "Saved", isNumeric: true, render: ({ savedUsd }) => formatUsd(savedUsd) },
  { name: "Errors", isNumeric: true, render: ({ errors }) => (errors === 0 ? "–" : `${errors}`) },
  { name: "Last", isNumeric: true, render: ({ lastAtMs }) => formatAgo(lastAtMs, Date.now()) },
];

function Fill({ windowTokens, sentTokens, originalTokens }: SessionAnswer) {
  if (windowTokens === 0) return <span class="soft">unknown</span>;
  const share = sentTokens / windowTokens;
  const isOutgrown = originalTokens > windowTokens;
  return (
    <div class="fill">
      <Gauge share={share} />
      <span class="number small">
        {formatPercent(share)} of {formatCount(windowTokens)}
      </span>
      {isOutgrown ? <span class="badge good">kept alive</span> : null}
    </div>
  );
}

/** From here on, what is left is little. */
const HIGH_SHARE = 0.9;

/** How much of something is used, as a bar beside words that say the same. */
function Gauge({ share }: { readonly share: number }) {
  return (
    <span class="gauge" aria-hidden="true" data-high={share >= HIGH_SHARE}>
      <i style={{ width: `${Math.min(100, 100 * share)}%` }} />
    </span>
  );
}
