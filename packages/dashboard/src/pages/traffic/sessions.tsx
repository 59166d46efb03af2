import type { SessionAnswer, SessionsAnswer } from "@longhaul/settings";
import { spellAgo, spellCount, spellShare, spellUsd } from "../../format.ts";
import { type ListSource, useListed } from "../../gateway/listed.tsx";
import { Empty, More, Show } from "../../parts/answered.tsx";
import { Card, Page } from "../../parts/page.tsx";
import { type Column, LongName, Table } from "../../parts/table.tsx";
import { hrefTo, hrefToSession, type Place } from "../../router.ts";
import { Session } from "./session.tsx";

/** Every conversation, and how full its window is. */
export function Sessions({ place }: { readonly place: Place }) {
  if (place.id !== "") return <Session session={place.id} tenant={place.query.tenant ?? ""} />;
  return <SessionList />;
}

function SessionList() {
  const { answer, more } = useListed("/sessions", NONE, SOURCE);
  return (
    <Page title="Sessions" lead="Every conversation, the latest first, and how full its window is.">
      <Card>
        <Show answer={answer}>
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
        </Show>
        <More onMore={more} />
      </Card>
    </Page>
  );
}

const NONE = {};

function keyOf({ tenant, session }: SessionAnswer): string {
  return `${tenant}/${session}`;
}

const SOURCE: ListSource<SessionsAnswer, SessionAnswer> = {
  news: ["request", "condensation"],
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
    show: (row) => (
      <>
        <a href={hrefToSession(row)} class="session-name" title={row.session}>
          {row.session}
        </a>
        {row.parent === "" ? null : <span class="badge">sub-agent</span>}
      </>
    ),
  },
  { name: "Window", show: (row) => <Fill {...row} /> },
  { name: "Model", show: ({ model }) => <LongName name={model} /> },
  { name: "Turns", isFigure: true, show: ({ requests }) => spellCount(requests) },
  {
    name: "Condensed",
    isFigure: true,
    show: ({ condensations }) => (condensations === 0 ? "–" : `${condensations} ×`),
  },
  { name: "Spent", isFigure: true, show: ({ costUsd }) => spellUsd(costUsd) },
  { name: "Saved", isFigure: true, show: ({ savedUsd }) => spellUsd(savedUsd) },
  { name: "Errors", isFigure: true, show: ({ errors }) => (errors === 0 ? "–" : `${errors}`) },
  { name: "Last", isFigure: true, show: ({ lastAtMs }) => spellAgo(lastAtMs, Date.now()) },
];

function Fill({ windowTokens, sentTokens, originalTokens }: SessionAnswer) {
  if (windowTokens === 0) return <span class="soft">unknown</span>;
  const share = sentTokens / windowTokens;
  const isOutgrown = originalTokens > windowTokens;
  return (
    <div class="fill">
      <Gauge share={share} />
      <span class="number small">
        {spellShare(share)} of {spellCount(windowTokens)}
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
