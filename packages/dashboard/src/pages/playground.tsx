import type { EstimateAnswer, ExamplesAnswer, PreviewAnswer } from "@longhaul/admin/api";
import { useState } from "preact/hooks";
import { FileChoice, useFileText } from "../components/controls.tsx";
import { Card, Page, type Stat, Stats } from "../components/page.tsx";
import { ShareBar } from "../components/share-bar.tsx";
import { ErrorNotice, Loaded, Loading } from "../components/status.tsx";
import { type Column, Table } from "../components/table.tsx";
import { usePost, useQuery } from "../gateway/gateway.tsx";
import { ProfileCosts } from "../previews/costs.tsx";
import { PreviewRows, usePreviewWithRows } from "../previews/preview.tsx";
import { Facts, Waterfall } from "../rows/waterfall.tsx";
import { formatCount, formatDuration, formatPercent, formatPrice } from "../strings/format.ts";

/** A conversation of one's own, and what each strategy would do to it. Nothing is kept. */
export function Playground() {
  const [tried, setTried] = useState<Tried>();
  return (
    <Page
      title="Playground"
      lead="Drop a conversation and see what it is made of, and what each strategy would do to it. Nothing of it is kept, and no model is asked."
    >
      <Choice onChoose={setTried} />
      {tried === undefined ? null : <Trial key={tried.name} tried={tried} />}
    </Page>
  );
}

function Choice({ onChoose }: { readonly onChoose: (tried: Tried) => void }) {
  const examples = useQuery<ExamplesAnswer>("/examples");
  const [isOver, setOver] = useState(false);
  const read = useFileText((text, name) => onChoose({ name, conversation: { text } }));
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
    // biome-ignore lint/a11y/noStaticElementInteractions: a file can also be chosen by the button
    <div class="drop" data-over={isOver} onDragOver={over} onDragLeave={() => setOver(false)} onDrop={drop}>
      <p>
        Drop a session log of Claude Code, Codex, pi, Roo, Cline or the Gemini CLI here, or a request of any of the
        APIs.
      </p>
      <div class="row">
        <FileChoice
          label="Choose a file"
          accept=".json,.jsonl"
          onText={(text, name) => onChoose({ name, conversation: { text } })}
        />
        <Loaded query={examples}>
          {({ examples: all }) => (
            <>
              {all.map(({ id, name, messages }) => (
                <button key={id} type="button" onClick={() => onChoose({ name, conversation: { example: id } })}>
                  {name} <span class="soft small">{messages} messages</span>
                </button>
              ))}
            </>
          )}
        </Loaded>
      </div>
    </div>
  );
}

/** What is tried. */
interface Tried {
  readonly name: string;
  readonly conversation: { readonly text: string } | { readonly example: string };
}

/** What a conversation is made of, and what each strategy would do to it. */
function Trial({ tried: { name, conversation } }: { readonly tried: Tried }) {
  const { value: estimate, error, isLoading } = usePost<EstimateAnswer>("/estimate", { conversation });
  const [chosen, setChosen] = useState<string>();
  if (error !== "" || estimate === undefined) return isLoading ? <Loading /> : <ErrorNotice message={error} />;
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
        {formatCount(anatomy.tokens)} tokens; the window holds {formatCount(limits.windowTokens)}
        {limits.isAssumed ? ", chosen so that there is something to see" : ""}, condensing begins at{" "}
        {formatCount(limits.triggerTokens)} and aims at {formatCount(limits.targetTokens)}.
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
      render: ({ id, name, failure }) => (
        <>
          <button type="button" aria-pressed={id === chosen} onClick={() => onChoose(id)}>
            {name}
          </button>
          {failure === undefined ? null : <p class="fault small">{failure}</p>}
        </>
      ),
    },
    { name: "After", isNumeric: true, render: ({ tokensAfter }) => formatCount(tokensAfter) },
    { name: "Smaller by", isNumeric: true, render: ({ reductionPercent }) => formatPercent(reductionPercent / 100) },
    {
      name: "Fits",
      render: ({ fits }) => <span class={`badge ${fits ? "good" : "bad"}`}>{fits ? "yes" : "no"}</span>,
    },
    { name: "Summaries", isNumeric: true, render: ({ asks }) => (asks === 0 ? "–" : `${asks}`) },
    { name: "Cost", isNumeric: true, render: ({ costUsd }) => formatPrice(costUsd) },
    { name: "Saves per call", isNumeric: true, render: ({ savedPerCallUsd }) => formatPrice(savedPerCallUsd) },
    { name: "Time", isNumeric: true, render: ({ milliseconds }) => formatDuration(milliseconds) },
  ];
}

interface PreviewProps extends Pick<Tried, "conversation"> {
  readonly strategy: string;
}

function Preview({ conversation, strategy }: PreviewProps) {
  const preview = usePreviewWithRows({ conversation, strategy });
  const { value, error, isLoading } = preview;
  if (value === undefined) return isLoading ? <Loading /> : <ErrorNotice message={error} />;
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

function figuresOf(preview: PreviewAnswer): readonly Stat[] {
  const { tokensBefore, tokensAfter, messages, messagesAfter, savedPerCallUsd, summaries, milliseconds } = preview;
  return [
    {
      label: "Tokens",
      value: `${formatCount(tokensBefore)} to ${formatCount(tokensAfter)}`,
      detail: `${formatPercent(1 - tokensAfter / Math.max(1, tokensBefore))} smaller`,
    },
    { label: "Messages", value: `${messages} to ${messagesAfter}` },
    { label: "Saves per call", value: formatPrice(savedPerCallUsd) },
    {
      label: "Summaries",
      value: `${summaries.asks}`,
      detail: `${formatPrice(summaries.estimatedUsd)} with ${summaries.writer}`,
    },
    { label: "Took", value: formatDuration(milliseconds) },
  ];
}
