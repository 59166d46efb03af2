import type { CheckedPromptAnswer, PromptsAnswer, SettingsAnswer, StrategiesAnswer } from "@longhaul/admin/api";
import { useId, useMemo, useState } from "preact/hooks";
import { Choice } from "../../components/controls.tsx";
import { Card, Page } from "../../components/page.tsx";
import { hrefTo, type Route } from "../../components/router.ts";
import { Loaded, Loading } from "../../components/status.tsx";
import {
  configIn,
  defaultPrompt,
  GLOBAL,
  type PromptLocation,
  promptAt,
  promptEntry,
  promptIn,
  ScopeChoice,
  scopeQuery,
} from "../../forms/scope.tsx";
import { DEBOUNCE_MS, type PostResult, useMutation, usePost, useQuery } from "../../gateway/gateway.tsx";
import { type ConversationChoice, ConversationField, useConversation } from "../../previews/conversation-choice.tsx";
import { CostNote, previewRequest, usePreview } from "../../previews/preview.tsx";
import { formatCount } from "../../strings/format.ts";

const NEWS = ["settings"];

/** What summarisers are told. The address names the strategy, where it is not for all of them, and the profile. */
export function Prompts({ place: { id: strategy, query } }: { readonly place: Route }) {
  const { profile: scope = GLOBAL } = query;
  const prompts = useQuery<PromptsAnswer>("/prompts");
  const strategies = useQuery<StrategiesAnswer>("/strategies");
  const settings = useQuery<SettingsAnswer>("/settings", NEWS);
  const go = (nextStrategy: string, nextScope: string) => {
    location.hash = hrefTo("prompts", nextStrategy, scopeQuery(nextScope));
  };
  return (
    <Page
      title="Prompts"
      lead="What the summariser is told. A change holds from the next summary on; nothing that was summarised is written anew."
      actions={
        <>
          <ScopeChoice value={scope} onChoose={(chosen) => go(strategy, chosen)} />
          {strategies.value === undefined ? null : (
            <StrategyChoice all={strategies.value} value={strategy} onChoose={(chosen) => go(chosen, scope)} />
          )}
        </>
      }
    >
      <Loaded query={prompts}>
        {(known) => (
          <Loaded query={settings}>
            {(value) => (
              <PromptEditor
                key={[scope, strategy].join("\n")}
                known={known}
                settings={value}
                scope={scope}
                strategy={strategy}
                onChanged={settings.reload}
              />
            )}
          </Loaded>
        )}
      </Loaded>
    </Page>
  );
}

interface StrategyChoiceProps {
  readonly all: StrategiesAnswer;
  readonly value: string;
  readonly onChoose: (strategy: string) => void;
}

/** Strategies that take a prompt; the passes of `smart` have their own, in its editor. */
function StrategyChoice({ all: { strategies }, value, onChoose }: StrategyChoiceProps) {
  const ones = strategies.filter(({ defaults }) => "prompt" in defaults).map(({ id, name }) => [id, name] as const);
  const options = [["", "Every strategy that summarises"] as const, ...ones];
  return <Choice label="Used by" options={options} value={value} onChoose={onChoose} />;
}

interface PromptEditorProps extends PromptLocation {
  readonly known: PromptsAnswer;
  readonly settings: SettingsAnswer;
  readonly onChanged: () => void;
}

/** Edits one prompt, says at once what is wrong with it, and shows what a model would be told. */
export function PromptEditor({ known, settings, scope, strategy, onChanged }: PromptEditorProps) {
  const place = { scope, strategy };
  const usual = defaultPrompt(known, strategy);
  const held = promptAt(settings, place);
  const [prompt, setPrompt] = useState(held.value === "" ? usual : held.value);
  const choice = useConversation(settings);
  const body = useMemo(() => ({ prompt }), [prompt]);
  const checked = usePost<CheckedPromptAnswer>("/prompts/check", body, { debounceMs: DEBOUNCE_MS });
  // What was checked may read otherwise by now.
  const isUsable = checked.body === body && checked.error === "" && checked.value?.faults.length === 0;
  // A prompt for all strategies is shown with the first that uses one.
  const shown = strategy === "" ? (known.prompts[0]?.strategies[0] ?? "") : strategy;
  const config = { ...configIn(settings, scope, shown).value, prompt };
  const preview = usePreview(
    isUsable ? previewRequest(choice, { strategy: shown, config, ...scopeQuery(scope) }) : undefined,
  );
  const { run: make, isBusy } = useMutation();
  const save = async (next: string | undefined) => {
    const body = { entries: [promptEntry(settings, place, next)], ifRevision: settings.revision };
    const done =
      next === undefined ? "The default prompt is used again." : "The prompt is used from the next summary on.";
    if ((await make((api) => api.send("PATCH", "/settings", body), done)) === undefined) return;
    if (next === undefined) setPrompt(usual);
    onChanged();
  };
  return (
    <>
      <Overruled settings={settings} scope={scope} strategy={strategy} />
      <Card title="Prompt" detail={<Origin held={held} isUsual={prompt === usual} />}>
        <PromptField prompt={prompt} checked={checked} placeholders={known.placeholders} onInput={setPrompt} />
        <div class="row end">
          <button
            type="button"
            disabled={isBusy || (!held.isSetHere && prompt === usual)}
            onClick={() => void save(undefined)}
          >
            Back to the default
          </button>
        </div>
        <div class="row end">
          <CostNote preview={preview} />
          <button
            type="button"
            class="main"
            disabled={isBusy || !isUsable}
            onClick={() => void save(prompt === usual ? undefined : prompt)}
          >
            Apply
          </button>
        </div>
      </Card>
      <Told choice={choice} told={preview.value?.summaries.told ?? checked.value?.preview} />
    </>
  );
}

function Overruled({ settings, scope, strategy }: PromptLocation & { readonly settings: SettingsAnswer }) {
  if (strategy === "" || promptIn(settings, scope).value === "") return null;
  return (
    <p class="notice warn">
      There is a prompt for every strategy that summarises{scope === GLOBAL ? "" : " here or everywhere"}. It goes
      before this one.
    </p>
  );
}

interface OriginProps {
  readonly held: ReturnType<typeof promptAt>;
  readonly isUsual: boolean;
}

function Origin({ held, isUsual }: OriginProps) {
  if (isUsual) return <>the default</>;
  if (held.value === "") return <>yours, not applied yet</>;
  return <>{held.isSetHere ? "yours" : "as everywhere"}</>;
}

interface PromptFieldProps {
  readonly prompt: string;
  readonly checked: PostResult<CheckedPromptAnswer>;
  readonly placeholders: readonly string[];
  readonly onInput: (prompt: string) => void;
}

function PromptField({ prompt, checked: { value, error }, placeholders, onInput }: PromptFieldProps) {
  const id = useId();
  const faults = error === "" ? (value?.faults ?? []) : [error];
  return (
    <div class="field prompt">
      <label for={id}>Instructions to the summariser</label>
      <textarea
        id={id}
        rows={14}
        value={prompt}
        aria-invalid={faults.length > 0}
        aria-describedby={`${id}-help`}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
      <div id={`${id}-help`} aria-live="polite">
        {faults.map((fault) => (
          <p key={fault} class="fault">
            {fault}
          </p>
        ))}
        <p class="help">
          {value === undefined ? "" : `${formatCount(value.tokens)} tokens. `}
          {placeholders.join(" and ")} may stand in it; without them, the messages and the length are added at the end.
        </p>
      </div>
    </div>
  );
}

interface ToldProps {
  readonly choice: ConversationChoice;
  readonly told: string | undefined;
}

/** What a summary of the chosen conversation begins with; a short example's, where the conversation needs none. */
function Told({ choice, told }: ToldProps) {
  return (
    <Card title="What a model is told" detail="with an excerpt of the conversation">
      <ConversationField choice={choice} />
      {told === undefined ? (
        <Loading />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has only a keyboard scrolls it
        <pre class="block told" tabIndex={0}>
          {told}
        </pre>
      )}
    </Card>
  );
}
