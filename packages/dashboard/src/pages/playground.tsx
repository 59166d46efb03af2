import type { EstimateAnswer, ExamplesAnswer, PreviewAnswer } from "@longhaul/admin/api";
import { useState } from "preact/hooks";
import { Button } from "../components/button.tsx";
import { FileChoice, useFileText } from "../components/controls.tsx";
import { Card, Page, type Stat, Stats } from "../components/page.tsx";
import { ShareBar } from "../components/share-bar.tsx";
import { ErrorNotice, Loaded, Loading, Warnings } from "../components/status.tsx";
import { type Column, Table } from "../components/table.tsx";
import { usePost, useQuery } from "../gateway/gateway.tsx";
import { ProfileCosts } from "../previews/costs.tsx";
import { describeWindow, effectStats, PreviewRows, usePreviewWithRows } from "../previews/preview.tsx";
import { Facts, Waterfall, withNote } from "../rows/waterfall.tsx";
import { common } from "../strings/common.ts";
import { formatCount, formatDuration, formatPercent, formatPrice } from "../strings/format.ts";
import { strings } from "../strings/playground.ts";

export function Playground() {
  const [input, setInput] = useState<Input>();
  return (
    <Page title={strings.title} lead={strings.lead}>
      <InputChoice onChoose={setInput} />
      {input === undefined ? null : <Analysis key={input.name} input={input} />}
    </Page>
  );
}

interface Input {
  readonly name: string;
  readonly conversation: { readonly text: string } | { readonly example: string };
}

function InputChoice({ onChoose }: { readonly onChoose: (input: Input) => void }) {
  const examples = useQuery<ExamplesAnswer>("/examples");
  const [isOver, setOver] = useState(false);
  const onText = (text: string, name: string) => onChoose({ name, conversation: { text } });
  const read = useFileText(onText);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    read(event.dataTransfer?.files[0]);
  };
  const over = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button below also opens a file
    <div class="drop" data-over={isOver} onDragOver={over} onDragLeave={() => setOver(false)} onDrop={drop}>
      <p>{strings.drop}</p>
      <div class="row">
        <FileChoice label={strings.choose} accept=".json,.jsonl" onText={onText} />
        <Loaded query={examples}>
          {({ examples: all }) => (
            <>
              {all.map(({ id, name, messages }) => (
                <button key={id} type="button" onClick={() => onChoose({ name, conversation: { example: id } })}>
                  {name} <span class="soft small">{strings.messages(messages)}</span>
                </button>
              ))}
            </>
          )}
        </Loaded>
      </div>
    </div>
  );
}

function Analysis({ input: { name, conversation } }: { readonly input: Input }) {
  const { value: estimate, error, isLoading } = usePost<EstimateAnswer>("/estimate", { conversation });
  const [chosen, setChosen] = useState<string>();
  if (error !== "" || estimate === undefined) return isLoading ? <Loading /> : <ErrorNotice message={error} />;
  const { strategies, recommended, profiles } = estimate;
  const strategy = chosen ?? recommended.strategy;
  const recommendedName = strategies.find(({ id }) => id === recommended.strategy)?.name ?? recommended.strategy;
  const texts = strings.strategies;
  return (
    <>
      <Anatomy name={name} estimate={estimate} />
      <Card title={texts.title} detail={texts.detail}>
        <p class="notice">{texts.recommended(recommendedName, recommended.reason)}</p>
        <Table
          label={texts.label}
          rows={strategies}
          keyOf={({ id }) => id}
          columns={strategyColumns(strategy, setChosen)}
        />
      </Card>
      {profiles.asks === 0 ? null : (
        <Card title={strings.summaryModels}>
          <ProfileCosts profiles={profiles} />
        </Card>
      )}
      <Preview key={strategy} conversation={conversation} strategy={strategy} />
    </>
  );
}

function Anatomy({ name, estimate }: { readonly name: string; readonly estimate: EstimateAnswer }) {
  const { format, messages, model, limits, anatomy, warnings } = estimate;
  return (
    <Card title={name} detail={strings.measured(format, messages, model)}>
      <ShareBar anatomy={anatomy.parts} windowTokens={limits.windowTokens} />
      <p class="soft small">
        {strings.limits(anatomy.tokens, limits.triggerTokens, limits.targetTokens)} {describeWindow(limits)}
      </p>
      <Warnings texts={warnings} />
    </Card>
  );
}

type StrategyEstimate = EstimateAnswer["strategies"][number];

function strategyColumns(chosen: string, onChoose: (id: string) => void): readonly Column<StrategyEstimate>[] {
  const { reduction, fits: fitsTerm, summaries, savings } = strings.strategies;
  return [
    {
      name: common.strategy,
      render: ({ id, name, failure }) => (
        <>
          <Button label={name} aria-pressed={id === chosen} onClick={() => onChoose(id)} />
          {failure === undefined ? null : <p class="fault small">{failure}</p>}
        </>
      ),
    },
    { name: common.tokensAfter, isNumeric: true, render: ({ tokensAfter }) => formatCount(tokensAfter) },
    { name: reduction, isNumeric: true, render: ({ reductionPercent }) => formatPercent(reductionPercent / 100) },
    {
      ...fitsTerm,
      render: ({ fits }) => <span class={`badge ${fits ? "good" : "bad"}`}>{fits ? common.yes : common.no}</span>,
    },
    { name: summaries, isNumeric: true, render: ({ asks }) => (asks === 0 ? common.missing : `${asks}`) },
    { name: common.cost, isNumeric: true, render: ({ costUsd }) => formatPrice(costUsd) },
    { name: savings, isNumeric: true, render: ({ savedPerCallUsd }) => formatPrice(savedPerCallUsd) },
    { name: common.duration, isNumeric: true, render: ({ milliseconds }) => formatDuration(milliseconds) },
  ];
}

function Preview({ conversation, strategy }: Pick<Input, "conversation"> & { readonly strategy: string }) {
  const preview = usePreviewWithRows({ conversation, strategy });
  const { value, error, isLoading } = preview;
  if (value === undefined) return isLoading ? <Loading /> : <ErrorNotice message={error} />;
  const { passes, tokensAfter, facts, strategyName } = value;
  return (
    <>
      <Stats stats={statsOf(value)} />
      <Card title={strings.passes}>
        <Waterfall passes={withNote(passes, tokensAfter)} isDry />
        <Facts facts={{ ...facts, putBack: facts.putBack.length }} lines={facts.putBack} />
      </Card>
      <Card title={strings.rows.title} detail={strategyName}>
        <PreviewRows preview={preview} />
      </Card>
    </>
  );
}

function statsOf(preview: PreviewAnswer): readonly Stat[] {
  const { summaries, milliseconds } = preview;
  const texts = strings.preview;
  return [
    ...effectStats(preview, texts.smaller),
    {
      name: texts.summaries,
      value: `${summaries.asks}`,
      detail:
        summaries.asks === 0
          ? texts.noSummaries
          : texts.summariesDetail(formatPrice(summaries.estimatedUsd), summaries.writer),
    },
    { name: common.duration, value: formatDuration(milliseconds) },
  ];
}
