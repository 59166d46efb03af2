import type { RequestDetailAnswer, RequestEventAnswer } from "@longhaul/admin/api";
import { useMemo } from "preact/hooks";
import { Card, Page, Stats } from "../../components/page.tsx";
import { hrefTo, hrefToSession } from "../../components/router.ts";
import { ShareBar } from "../../components/share-bar.tsx";
import { Empty, Loaded } from "../../components/status.tsx";
import { useGateway, useQuery } from "../../gateway/gateway.tsx";
import { PAGE_ROWS, type RowSource } from "../../rows/row-pages.tsx";
import { RowsView } from "../../rows/rows-view.tsx";
import { FactLines, Facts, factsIn, passesIn, Waterfall } from "../../rows/waterfall.tsx";
import { formatAgo, formatCount, formatDuration, formatUsd } from "../../strings/format.ts";

type Condensation = RequestDetailAnswer["condensations"][number];

/** One request: what it was made of, what was done to it, and what it cost. */
export function Request({ id }: { readonly id: string }) {
  const path = `/requests/${encodeURIComponent(id)}`;
  const answer = useQuery<RequestDetailAnswer>(`${path}?limit=${PAGE_ROWS}`);
  const request = answer.value?.request;
  return (
    <Page
      title="Request"
      lead={<span class="session-name">{id}</span>}
      actions={
        request === undefined || request.session === "" ? null : (
          <a class="button" href={hrefToSession(request)}>
            Its session
          </a>
        )
      }
    >
      <Loaded query={answer}>{(detail) => <Detail detail={detail} path={path} />}</Loaded>
    </Page>
  );
}

interface DetailProps {
  readonly detail: RequestDetailAnswer;
  readonly path: string;
}

function Detail({ detail, path }: DetailProps) {
  const { request, condensations, contents } = detail;
  const putBack = contents?.putBack ?? [];
  return (
    <>
      <Stats figures={figuresOf(request)} />
      <Card title="What was sent" detail={`${formatCount(request.windowTokens)} tokens fit the window`}>
        <ShareBar anatomy={request.anatomy} windowTokens={request.windowTokens} />
      </Card>
      {condensations.map((condensation, index) => (
        <Passes key={condensation.id} condensation={condensation} putBack={index === 0 ? putBack : []} />
      ))}
      {condensations.length > 0 || putBack.length === 0 ? null : (
        <Card title="Facts" detail="put back by an earlier condensation">
          <FactLines lines={putBack} />
        </Card>
      )}
      <Card title="Before and after" detail={contents?.isSame === true ? "it was sent as it came" : undefined}>
        {contents === undefined ? <NotKept /> : <Rows contents={contents} path={path} />}
      </Card>
    </>
  );
}

function figuresOf(request: RequestDetailAnswer["request"]) {
  const { status, errorCode, model, upstream, attempts, ms, firstByteMs, addedMs } = request;
  return [
    { label: "Result", value: errorCode === "" ? `${status}` : errorCode, detail: formatAgo(request.atMs, Date.now()) },
    { label: "Model", value: model, detail: upstream },
    { label: "Came", value: formatCount(request.originalTokens), detail: "tokens" },
    {
      label: "Sent",
      value: formatCount(request.sentTokens),
      detail: `${formatCount(request.cacheReadTokens)} from cache`,
    },
    { label: "Cost", value: formatUsd(request.costUsd), detail: `${formatUsd(request.savedUsd)} saved` },
    {
      label: "Took",
      value: formatDuration(ms),
      detail: `${formatDuration(firstByteMs)} to the first byte, ${formatDuration(addedMs)} of it ours`,
    },
    { label: "Calls", value: `${attempts}`, detail: attempts > 1 ? "tried again or elsewhere" : "at the first try" },
  ];
}

interface PassesProps {
  readonly condensation: Condensation;
  /** What it put back, where contents are kept. */
  readonly putBack: readonly string[];
}

function Passes({ condensation, putBack }: PassesProps) {
  const { strategy, tokensBefore, tokensAfter, costUsd, estimatedUsd, ms, report } = condensation;
  const detail = `${formatCount(tokensBefore)} to ${formatCount(tokensAfter)} in ${formatDuration(ms)}, ${formatUsd(costUsd)} (estimated ${formatUsd(estimatedUsd)})`;
  return (
    <Card title={`Condensed by ${strategy}`} detail={detail}>
      <Waterfall passes={passesIn(report)} />
      <Facts facts={factsIn(report)} lines={putBack} />
    </Card>
  );
}

function Rows({
  contents,
  path,
}: {
  readonly contents: NonNullable<RequestDetailAnswer["contents"]>;
  readonly path: string;
}) {
  const { api } = useGateway();
  const source = useMemo<RowSource>(
    () => ({
      rowCount: contents.rowCount,
      rows: contents.rows,
      page: async (from, limit) =>
        (await api.get<RequestDetailAnswer>(`${path}?from=${from}&limit=${limit}`)).contents?.rows ?? [],
      whole: async (at) => (await api.get<RequestDetailAnswer>(`${path}?row=${at}`)).contents?.rows[0],
    }),
    [api, contents, path],
  );
  return <RowsView source={source} />;
}

function NotKept() {
  return (
    <Empty title="What it said is not kept">
      <p>
        Set <a href={hrefTo("settings", "", { search: "contents.keep" })}>contents.keep</a> to <code>condensed</code> or{" "}
        <code>all</code> to see requests before and after. Contents are kept for as many days as you say, in this
        gateway's own database.
      </p>
    </Empty>
  );
}

/** How a request ended, and whether it was sent as it came. */
export function RequestResult({ request }: { readonly request: RequestEventAnswer }) {
  const { errorCode, status, origin, strategy } = request;
  if (errorCode !== "") return <span class="badge bad">{errorCode}</span>;
  if (status >= 400) return <span class="badge bad">{status}</span>;
  if (origin === "new") return <span class="badge accent">condensed by {strategy}</span>;
  if (origin === "reused") return <span class="badge">{strategy}, reused</span>;
  return <span class="badge good">as it came</span>;
}
