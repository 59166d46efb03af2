import type { ProfilesAnswer } from "@longhaul/admin/api";
import { Card } from "../../components/page.tsx";
import { hrefTo } from "../../components/router.ts";
import { Empty } from "../../components/status.tsx";
import { recordOf } from "../../forms/scope.tsx";
import { ProfileCostsCard } from "../../previews/costs.tsx";
import { formatCount, formatUsd } from "../../strings/format.ts";
import { SectionsPage } from "./sections.tsx";

type Profile = ProfilesAnswer["profiles"][number];

/** Models with their prices, limits and settings. */
export function Profiles() {
  return (
    <SectionsPage
      kind="profiles"
      title="Profiles"
      lead="A profile is a model at an upstream, with its prices, its limits and how its conversations are made smaller. A cheap one may write the summaries of a dear one."
      what="profile"
      sectionsIn={({ profiles }: ProfilesAnswer) => profiles}
      empty={
        <Card>
          <Empty title="No profile yet">
            <p>Without one, the model of each conversation writes its own summaries, and the global settings hold.</p>
          </Empty>
        </Card>
      }
      card={(profile, onChange) => <ProfileCard key={profile.name} profile={profile} onChange={onChange} />}
    >
      <ProfileCostsCard />
    </SectionsPage>
  );
}

const SOURCES: Readonly<Record<Profile["threshold"]["from"], string>> = {
  profile: "its own",
  global: "the global one",
  strategy: "the strategy's own",
  room: "nobody set one, so the room that is left decides",
};

interface ProfileCardProps {
  readonly profile: Profile;
  readonly onChange: () => void;
}

function ProfileCard({ profile, onChange }: ProfileCardProps) {
  const { name, settings, isSummarizer, threshold, model, why, routes } = profile;
  const { strategy } = recordOf(settings.context);
  return (
    <Card title={name} detail={isSummarizer ? <span class="badge accent">writes summaries</span> : null}>
      {why === undefined ? null : <p class="notice">{why}</p>}
      <dl class="facts">
        {typeof settings.upstream === "string" ? (
          <>
            <dt>Upstream</dt>
            <dd>{settings.upstream}</dd>
          </>
        ) : null}
        {model === undefined ? null : <ModelFacts model={model} />}
        <dt>Strategy</dt>
        <dd>
          <a href={hrefTo("strategies", "", { profile: name })}>
            {typeof strategy === "string" ? strategy : "as everywhere"}
          </a>
        </dd>
        <dt>Begins to condense at</dt>
        <dd>
          {threshold.percent} % of the window <span class="soft">({SOURCES[threshold.from]})</span>
        </dd>
        <dt>Used by</dt>
        <dd>{routes.length === 0 ? "no route" : routes.join(", ")}</dd>
      </dl>
      <div class="row end">
        <button type="button" onClick={onChange} aria-label={`Change ${name}`}>
          Change
        </button>
      </div>
    </Card>
  );
}

function ModelFacts({ model }: { readonly model: NonNullable<Profile["model"]> }) {
  const { id, sentAs, windowTokens, maxOutputTokens, prices, warning } = model;
  return (
    <>
      <dt>Model</dt>
      <dd>
        {sentAs} {sentAs === id ? null : <span class="soft">known as {id}</span>}
        {warning === undefined ? null : <p class="fault">{warning}</p>}
      </dd>
      <dt>Window</dt>
      <dd>
        {formatCount(windowTokens)} tokens, answers up to {formatCount(maxOutputTokens)}
      </dd>
      <dt>Prices</dt>
      <dd>
        {prices === undefined
          ? "unknown"
          : `${formatUsd(prices.input)} in, ${formatUsd(prices.output)} out, ${formatUsd(prices.cacheRead)} from cache, ${formatUsd(prices.cacheWrite)} into it, for a million tokens`}
      </dd>
    </>
  );
}
