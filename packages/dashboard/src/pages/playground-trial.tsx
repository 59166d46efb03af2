import type { EstimateAnswer, PreviewAnswer } from "@longhaul/settings";
import { useState } from "preact/hooks";
import { spellCount, spellMs, spellPrice, spellShare } from "../format.ts";
import { Failure, Loading } from "../parts/answered.tsx";
import { Card, type Figure, Stats } from "../parts/page.tsx";
import { ShareBar } from "../parts/share-bar.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { usePosted } from "../posted.tsx";
import { PreviewRows, usePreviewWithRows } from "../previews/preview-rows.tsx";
import { ProfileCosts } from "../previews/profile-costs.tsx";
import { Facts } from "../rows/facts.tsx";
import { Waterfall } from "../rows/waterfall.tsx";

/** What is tried. */
export interface Tried {
  readonly name: string;
  readonly conversation: { readonly text: string } | { readonly example: string };
}

/** What a conversation is made of, and what each strategy would do to it. */
export function Trial({ tried: { name, conversation } }: { readonly tried: Tried }) {
  const { value: estimate, error, isLoading } = usePosted<EstimateAnswer>("/estimate", { conversation });
  const [chosen, setChosen] = useState<string>();
  if (error !== "" || estimate === undefined) return isLoading ? <Loading /> : <Failure words={error} />;
  const strategy = chosen ?? estimate.recommended.strategy;
  return (
    <>
      <Measured name={name} estimate={estimate} />
      <Card title="What each strategy would do" detail="a dry run; choose one to see it">
        <p class="notice">
          {estimate.strategies.find(({ id }) => id === estimate.recommended.strategy)?.name}:{" "}
          {estimate.recommended.reason}
        </p>
        <Table
          label="Strategies"
          rows={estimate.strategies}
          keyOf={({ id }) => id}
          columns={strategyColumns(strategy, setChosen)}
        />
      </Card>
      {estimate.profiles.asks === 0 ? null : (
        <Card title="Who could write the summaries">
          <ProfileCosts profiles={estimate.profiles} />
        </Card>
      )}
      <Preview key={strategy} conversation={conversation} strategy={strategy} />
    </>
  );
}

function Measured({ name, estimate }: { readonly name: string; readonly estimate: EstimateAnswer }) {
  const { format, messages, model, limits, anatomy, warnings } = estimate;
  return (
    <Card
      title={name}
      detail={`${format}, ${messages} ${messages === 1 ? "message" : "messages"}, measured for ${model}`}
    >
      <ShareBar anatomy={anatomy.parts} windowTokens={limits.windowTokens} />
      <p class="soft small">
        {spellCount(anatomy.tokens)} tokens; the window holds {spellCount(limits.windowTokens)}
        {limits.isAssumed ? ", chosen so that there is something to see" : ""}, condensing begins at{" "}
        {spellCount(limits.triggerTokens)} and aims at {spellCount(limits.targetTokens)}.
      </p>
      {warnings.map((warning) => (
        <p key={warning} class="notice warn">
          {warning}
        </p>
      ))}
    </Card>
  );
}

type Estimated = EstimateAnswer["strategies"][number];

function strategyColumns(chosen: string, onChoose: (id: string) => void): readonly Column<Estimated>[] {
  return [
    {
      name: "Strategy",
      show: ({ id, name, failure }) => (
        <>
          <button type="button" aria-pressed={id === chosen} onClick={() => onChoose(id)}>
            {name}
          </button>
          {failure === undefined ? null : <p class="fault small">{failure}</p>}
        </>
      ),
    },
    { name: "After", isFigure: true, show: ({ tokensAfter }) => spellCount(tokensAfter) },
    { name: "Smaller by", isFigure: true, show: ({ reductionPercent }) => spellShare(reductionPercent / 100) },
    {
      name: "Fits",
      show: ({ fits }) => <span class={`badge ${fits ? "good" : "bad"}`}>{fits ? "yes" : "no"}</span>,
    },
    { name: "Summaries", isFigure: true, show: ({ asks }) => (asks === 0 ? "–" : `${asks}`) },
    { name: "Cost", isFigure: true, show: ({ costUsd }) => spellPrice(costUsd) },
    { name: "Saves per call", isFigure: true, show: ({ savedPerCallUsd }) => spellPrice(savedPerCallUsd) },
    { name: "Time", isFigure: true, show: ({ milliseconds }) => spellMs(milliseconds) },
  ];
}

interface PreviewProps extends Pick<Tried, "conversation"> {
  readonly strategy: string;
}

function Preview({ conversation, strategy }: PreviewProps) {
  const preview = usePreviewWithRows({ conversation, strategy });
  const { value, error, isLoading } = preview;
  if (value === undefined) return isLoading ? <Loading /> : <Failure words={error} />;
  const { passes, facts, strategyName } = value;
  return (
    <>
      <Stats figures={figuresOf(value)} />
      <Card title="Pass by pass">
        <Waterfall passes={passes} isDry />
        <Facts facts={{ ...facts, putBack: facts.putBack.length }} lines={facts.putBack} />
      </Card>
      <Card title="Before and after" detail={strategyName}>
        <PreviewRows preview={preview} />
      </Card>
    </>
  );
}

function figuresOf(preview: PreviewAnswer): readonly Figure[] {
  const { tokensBefore, tokensAfter, messages, messagesAfter, savedPerCallUsd, summaries, milliseconds } = preview;
  return [
    {
      name: "Tokens",
      value: `${spellCount(tokensBefore)} to ${spellCount(tokensAfter)}`,
      detail: `${spellShare(1 - tokensAfter / Math.max(1, tokensBefore))} smaller`,
    },
    { name: "Messages", value: `${messages} to ${messagesAfter}` },
    { name: "Saves per call", value: spellPrice(savedPerCallUsd) },
    {
      name: "Summaries",
      value: `${summaries.asks}`,
      detail: `${spellPrice(summaries.estimatedUsd)} with ${summaries.writer}`,
    },
    { name: "Took", value: spellMs(milliseconds) },
  ];
}
