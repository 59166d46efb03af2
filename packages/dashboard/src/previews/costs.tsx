import type {
  CondensationAnswer,
  EstimateAnswer,
  SessionDetailAnswer,
  SessionsAnswer,
  SettingsAnswer,
} from "@longhaul/admin/api";
import { Card } from "../components/page.tsx";
import { hrefTo } from "../components/router.ts";
import { Empty, ErrorNotice } from "../components/status.tsx";
import { type Column, Table } from "../components/table.tsx";
import { usePost, useQuery } from "../gateway/gateway.tsx";
import { formatAgo, formatCount, formatPercent, formatPrice, formatUsd } from "../strings/format.ts";
import { ConversationField, conversationBody, useConversation } from "./conversation-choice.tsx";

const NEWS = ["settings"];

/** Compares what every profile would take for the summaries of a conversation that the reader chooses. */
export function ProfileCostsCard() {
  const settings = useQuery<SettingsAnswer>("/settings", NEWS);
  const choice = useConversation(settings.value);
  const { chosen, windowTokens } = choice;
  const body =
    chosen === undefined || settings.value === undefined
      ? undefined
      : {
          conversation: conversationBody(chosen.conversation),
          ...(windowTokens === undefined ? {} : { windowTokens }),
        };
  const { value, error } = usePost<EstimateAnswer>("/estimate", body, { reloadKey: settings.value?.revision });
  return (
    <Card title="What summaries would cost" detail="a dry run, no model is asked">
      <ConversationField choice={choice} />
      <ErrorNotice message={error} />
      <Costs costs={value?.profiles} />
    </Card>
  );
}

function Costs({ costs }: { readonly costs: EstimateAnswer["profiles"] | undefined }) {
  if (costs === undefined) return null;
  if (costs.asks > 0) return <ProfileCosts profiles={costs} />;
  return (
    <Empty title="Nothing has to be summarised">
      <p>Choose a longer conversation or a smaller window.</p>
    </Empty>
  );
}

type ProfileCost = EstimateAnswer["profiles"]["costs"][number];

/** What each profile would take for the summaries of a conversation, which is the best one, and why. */
export function ProfileCosts({ profiles }: { readonly profiles: EstimateAnswer["profiles"] }) {
  const { strategy, asks, inputTokens, outputTokens, costs, recommended } = profiles;
  return (
    <>
      <p class="notice">{recommended.reason}</p>
      <Table
        label="Costs by profile"
        rows={costs}
        keyOf={({ profile }) => profile ?? ""}
        columns={costColumns(recommended.profile)}
      />
      <p class="soft small">
        For {strategy}: {asks === 1 ? "one summary" : `${asks} summaries`}, {formatCount(inputTokens)} tokens in and
        about {formatCount(outputTokens)} out.
      </p>
    </>
  );
}

function costColumns(recommended: string | null): readonly Column<ProfileCost>[] {
  return [
    {
      name: "Profile",
      render: ({ profile }) => (
        <>
          {profile ?? <span class="soft">the conversation's own model</span>}{" "}
          {profile === recommended ? <span class="badge accent">recommended</span> : null}
        </>
      ),
    },
    { name: "Model", render: ({ model }) => model },
    { name: "Fits", render: ({ fits }) => (fits ? "yes" : "in parts") },
    { name: "Cost", isNumeric: true, render: ({ costUsd }) => formatPrice(costUsd) },
    { name: "Saves", isNumeric: true, render: spellSavings },
  ];
}

function spellSavings({ profile, savedUsd, savedPercent }: ProfileCost): string {
  if (profile === null) return "–";
  return savedPercent === null
    ? formatPrice(savedUsd)
    : `${formatPrice(savedUsd)} (${formatPercent(savedPercent / 100)})`;
}

const CONDENSATION_NEWS = ["condensation"];

/** What condensations by a strategy were estimated at, and what they cost. */
export function ActualCostsCard({ strategy }: { readonly strategy: string }) {
  const sessions = useQuery<SessionsAnswer>("/sessions?limit=100", CONDENSATION_NEWS);
  const latest = sessions.value === undefined ? undefined : latestSession(sessions.value, strategy);
  const path =
    latest === undefined
      ? undefined
      : `/sessions/${encodeURIComponent(latest.session)}?tenant=${encodeURIComponent(latest.tenant)}`;
  const detail = useQuery<SessionDetailAnswer>(path, CONDENSATION_NEWS);
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
    render: ({ requestId, atMs }) => <a href={hrefTo("requests", requestId)}>{formatAgo(atMs, Date.now())}</a>,
  },
  { name: "Before", isNumeric: true, render: ({ tokensBefore }) => formatCount(tokensBefore) },
  { name: "After", isNumeric: true, render: ({ tokensAfter }) => formatCount(tokensAfter) },
  { name: "Estimated", isNumeric: true, render: ({ estimatedUsd }) => formatUsd(estimatedUsd) },
  { name: "Actual", isNumeric: true, render: ({ costUsd }) => formatUsd(costUsd) },
  { name: "Difference", render: formatDifference },
];

type Session = SessionsAnswer["sessions"][number];

/** How many of the latest condensations are compared. */
const MOST = 5;

/** The latest session that a strategy made smaller. */
export function latestSession({ sessions }: SessionsAnswer, strategy: string): Session | undefined {
  return sessions.find((session) => session.strategy === strategy && session.condensations > 0);
}

/** The latest condensations by a strategy, the latest first. */
export function latestBy(
  condensations: readonly CondensationAnswer[],
  strategy: string,
): readonly CondensationAnswer[] {
  return condensations
    .filter((condensation) => condensation.strategy === strategy)
    .toSorted((a, b) => b.atMs - a.atMs)
    .slice(0, MOST);
}

/** How far a cost lay from what was foretold. */
export function formatDifference({
  costUsd,
  estimatedUsd,
}: Pick<CondensationAnswer, "costUsd" | "estimatedUsd">): string {
  if (costUsd === estimatedUsd) return "as estimated";
  if (estimatedUsd === 0) return "more than estimated";
  const share = Math.abs(costUsd - estimatedUsd) / estimatedUsd;
  return `${formatPercent(share)} ${costUsd > estimatedUsd ? "more" : "less"}`;
}
