import type { SessionAnswer, SessionsAnswer } from "@longhaul/admin/api";
import { useMemo } from "preact/hooks";
import { Page, TermName } from "../../components/page.tsx";
import { rangeFilter } from "../../components/range.tsx";
import type { Route } from "../../components/router.ts";
import { Empty, NoTraffic, SimulatedBadge, useSimulated } from "../../components/status.tsx";
import { type Column, ListCard, TruncatedName } from "../../components/table.tsx";
import { type ListSource, useList } from "../../gateway/list.tsx";
import { common } from "../../strings/common.ts";
import { formatAgo, formatCount, formatDate, formatPercent, formatUsd } from "../../strings/format.ts";
import { strings } from "../../strings/sessions.ts";
import { Session } from "./session.tsx";
import { lastFolder, SessionFilters, type Sort, sessionListQuery } from "./session-filters.tsx";
import { clientName, SessionLink } from "./session-link.tsx";

export function Sessions({ route }: { readonly route: Route }) {
  if (route.id !== "") return <Session session={route.id} tenant={route.query.tenant ?? ""} />;
  return <SessionList route={route} />;
}

function SessionList({ route }: { readonly route: Route }) {
  const shown = useMemo(() => sessionListQuery(route.query, Date.now()), [route]);
  const { filters, range, sort, group } = shown;
  const isFiltered = Object.keys(filters).length > 0 || range.period !== "all";
  // Sub-agents are listed below their parent, unless the list is searched.
  const which = { ...filters, ...rangeFilter(range), ...(filters.text === undefined && { parent: "" }), sort };
  const source = useMemo(() => sourceBy(sort), [sort]);
  const list = useList("/sessions", which, source);
  const simulated = useSimulated();
  const columns = useMemo(() => columnsOf(simulated), [[...simulated].join()]);
  const noMatch = <Empty title={strings.noMatch} help={strings.noMatchHelp} />;
  return (
    <Page title={strings.title} lead={strings.lead}>
      <SessionFilters list={shown} />
      <ListCard
        {...list}
        label={strings.title}
        keyOf={keyOf}
        columns={columns}
        groupOf={group === "" ? undefined : GROUP_NAMES[group]}
        empty={isFiltered ? noMatch : <NoTraffic title={strings.empty} />}
      />
    </Page>
  );
}

const GROUP_NAMES = {
  day: ({ lastAtMs }: SessionRow) => formatDate(lastAtMs),
  project: ({ project }: SessionRow) => project || strings.noProject,
} as const;

/** A session with its sub-agents. */
interface SessionRow extends SessionAnswer {
  readonly children: readonly SessionAnswer[];
}

function keyOf({ tenant, session }: SessionAnswer): string {
  return `${tenant}/${session}`;
}

/** New requests move sessions to the top of the list only if it is sorted by last use. */
function sourceBy(sort: Sort): ListSource<SessionsAnswer, SessionRow> {
  return {
    refreshOn: sort === "lastAtMs" ? ["request", "condensation"] : [],
    rowsIn: ({ sessions, children }) => sessions.map((row) => ({ ...row, children: childrenOf(row, children) })),
    keyOf,
    atMsOf: ({ lastAtMs }) => lastAtMs,
    after: (row) => ({
      beforeValue: String(row[sort]),
      beforeMs: String(row.lastAtMs),
      beforeSession: row.session,
      beforeTenant: row.tenant,
    }),
  };
}

function childrenOf({ tenant, session }: SessionAnswer, children: readonly SessionAnswer[]): readonly SessionAnswer[] {
  return children.filter((child) => child.parent === session && child.tenant === tenant);
}

const { columns: names } = strings;

function columnsOf(simulated: ReadonlySet<string>): readonly Column<SessionRow>[] {
  return [
    { name: names.session, render: (row) => <SessionCell row={row} isSimulated={simulated.has(row.upstream)} /> },
    { ...names.window, render: (row) => <WindowFill {...row} /> },
    { name: common.model, render: ({ model }) => <TruncatedName name={model} /> },
    { name: names.turns, isNumeric: true, render: ({ requests }) => formatCount(requests) },
    { name: names.condensations, isNumeric: true, render: ({ condensations }) => countOrDash(condensations) },
    { name: common.cost, isNumeric: true, render: ({ costUsd }) => formatUsd(costUsd) },
    { name: names.saved, isNumeric: true, render: ({ savedUsd }) => formatUsd(savedUsd) },
    { name: names.errors, isNumeric: true, render: ({ errors }) => countOrDash(errors) },
    { name: names.lastActive, isNumeric: true, render: ({ lastAtMs }) => formatAgo(lastAtMs, Date.now()) },
  ];
}

function SessionCell({ row, isSimulated }: { readonly row: SessionRow; readonly isSimulated: boolean }) {
  const { project, branch, children } = row;
  const about = [project && lastFolder(project), branch, clientName(row)].filter(Boolean).join(" · ");
  return (
    <div class="session-cell">
      <SessionLink session={row} />
      {about === "" ? null : (
        <span class="soft small" title={project}>
          {about}
        </span>
      )}
      <span class="badges">
        {isSimulated ? <SimulatedBadge /> : null}
        {row.parent === "" ? null : <span class="badge">{strings.subAgent}</span>}
      </span>
      {children.length === 0 ? null : (
        <details class="children">
          <summary>{strings.subAgents(children.length)}</summary>
          <ul>
            {children.map((child) => (
              <li key={child.session}>
                <SessionLink session={child} />
                <span class="soft small">
                  {strings.childDetail(formatUsd(child.costUsd), formatAgo(child.lastAtMs, Date.now()))}
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

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
