import type { EstimateAnswer, ExamplesAnswer, PreviewAnswer } from "@longhaul/settings";
import { useEffect, useMemo, useState } from "preact/hooks";
import { useChange } from "../change.tsx";
import { spellCount, spellMs, spellPrice, spellShare } from "../format.ts";
import { useAnswer, useGateway } from "../gateway.tsx";
import { Loading, Show } from "../parts/answered.tsx";
import { FileChoice } from "../parts/files.tsx";
import { Card, Page, Stats } from "../parts/page.tsx";
import { ShareBar } from "../parts/share-bar.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { ProfileCosts } from "../previews/profile-costs.tsx";
import { Facts } from "../rows/facts.tsx";
import { PAGE_ROWS } from "../rows/row-pages.ts";
import { RowsView } from "../rows/rows-view.tsx";
import type { RowSource } from "../rows/use-row-pages.tsx";
import { Waterfall } from "../rows/waterfall.tsx";

/** Which conversation is tried. */
type Conversation = { readonly text: string } | { readonly example: string };

interface Tried {
  readonly name: string;
  readonly conversation: Conversation;
}

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
  const examples = useAnswer<ExamplesAnswer>("/examples");
  const [isOver, setOver] = useState(false);
  const drop = async (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const file = event.dataTransfer?.files[0];
    if (file !== undefined) onChoose({ name: file.name, conversation: { text: await file.text() } });
  };
  const over = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a file can also be chosen by the button
    <div
      class="drop"
      data-over={isOver}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => void drop(event)}
    >
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
        <Show answer={examples}>
          {({ examples: all }) => (
            <>
              {all.map(({ id, name, messages }) => (
                <button key={id} type="button" onClick={() => onChoose({ name, conversation: { example: id } })}>
                  {name} <span class="soft small">{messages} messages</span>
                </button>
              ))}
            </>
          )}
        </Show>
      </div>
    </div>
  );
}

function Trial({ tried: { name, conversation } }: { readonly tried: Tried }) {
  const { make, isBusy } = useChange();
  const [estimate, setEstimate] = useState<EstimateAnswer>();
  const [strategy, setStrategy] = useState("");
  useEffect(() => {
    void make((api) => api.send<EstimateAnswer>("POST", "/estimate", { conversation })).then((answer) => {
      if (answer === undefined) return;
      setEstimate(answer);
      setStrategy(answer.recommended.strategy);
    });
  }, [conversation, make]);
  if (estimate === undefined) return isBusy ? <Loading /> : null;
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
          columns={strategyColumns(strategy, setStrategy)}
        />
      </Card>
      {estimate.profiles.asks === 0 ? null : (
        <Card title="Who could write the summaries">
          <ProfileCosts profiles={estimate.profiles} />
        </Card>
      )}
      {strategy === "" ? null : <Preview key={strategy} conversation={conversation} strategy={strategy} />}
    </>
  );
}

function Measured({ name, estimate }: { readonly name: string; readonly estimate: EstimateAnswer }) {
  const { format, messages, model, limits, anatomy, warnings } = estimate;
  return (
    <Card title={name} detail={`${format}, ${messages} messages, measured for ${model}`}>
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

interface PreviewProps {
  readonly conversation: Conversation;
  readonly strategy: string;
}

function Preview({ conversation, strategy }: PreviewProps) {
  const { make, isBusy } = useChange();
  const [preview, setPreview] = useState<PreviewAnswer>();
  useEffect(() => {
    const body = { conversation, strategy, limit: PAGE_ROWS };
    void make((api) => api.send<PreviewAnswer>("POST", "/preview", body)).then(setPreview);
  }, [conversation, strategy, make]);
  if (preview === undefined) return isBusy ? <Loading /> : null;
  return (
    <>
      <Stats figures={figuresOf(preview)} />
      <Card title="Pass by pass">
        <Waterfall passes={preview.passes} />
        <Facts facts={{ ...preview.facts, putBack: preview.facts.putBack.length }} lines={preview.facts.putBack} />
      </Card>
      <Card title="Before and after" detail={preview.strategyName}>
        <Rows conversation={conversation} preview={preview} />
      </Card>
    </>
  );
}

function figuresOf({
  tokensBefore,
  tokensAfter,
  messages,
  messagesAfter,
  savedPerCallUsd,
  summaries,
  milliseconds,
}: PreviewAnswer) {
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

function Rows({ conversation, preview }: { readonly conversation: Conversation; readonly preview: PreviewAnswer }) {
  const { api } = useGateway();
  const source = useMemo<RowSource>(() => {
    const ask = (more: object) =>
      api.send<PreviewAnswer>("POST", "/preview", { conversation, strategy: preview.strategy, ...more });
    return {
      rowCount: preview.rowCount,
      rows: preview.rows,
      page: async (from, limit) => (await ask({ from, limit })).rows,
      whole: async (row) => (await ask({ row })).rows[0],
    };
  }, [api, conversation, preview]);
  return <RowsView source={source} />;
}
