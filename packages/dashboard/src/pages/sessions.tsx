import type { SessionAnswer, SessionsAnswer } from "@longhaul/settings";
import { spellAgo, spellCount, spellShare, spellUsd } from "../format.ts";
import { useAnswer } from "../gateway.tsx";
import { Empty, Show } from "../parts/answered.tsx";
import { Card, Page } from "../parts/page.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { hrefTo, type Place } from "../router.ts";
import { Session } from "./session.tsx";

const NEWS = ["request", "condensation"];

/** Every conversation, and how full its window is. */
export function Sessions({ place }: { readonly place: Place }) {
  if (place.id !== "") return <Session session={place.id} tenant={place.query.tenant ?? ""} />;
  return <SessionList />;
}

function SessionList() {
  const answer = useAnswer<SessionsAnswer>("/sessions?limit=100", NEWS);
  return (
    <Page title="Sessions" lead="Every conversation, the latest first, and how full its window is.">
      <Card>
        <Show answer={answer}>
          {({ sessions }) =>
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
      </Card>
    </Page>
  );
}

function keyOf({ tenant, session }: SessionAnswer): string {
  return `${tenant}/${session}`;
}

const COLUMNS: readonly Column<SessionAnswer>[] = [
  {
    name: "Session",
    show: ({ tenant, session }) => (
      <a href={hrefTo("sessions", session, tenant === "" ? {} : { tenant })} class="session-name">
        {session}
      </a>
    ),
  },
  { name: "Model", show: ({ model }) => model },
  { name: "Window", show: (row) => <Fill {...row} /> },
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
      <meter value={Math.min(share, 1)} min={0} max={1} aria-label={`${spellShare(share)} of the window`} />
      <span class="number small">
        {spellShare(share)} of {spellCount(windowTokens)}
      </span>
      {isOutgrown ? <span class="badge good">kept alive</span> : null}
    </div>
  );
}
