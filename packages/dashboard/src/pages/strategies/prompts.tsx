import type { CheckedPromptAnswer, PromptsAnswer, SettingsAnswer, StrategiesAnswer } from "@longhaul/admin/api";
import { useId, useMemo, useState } from "preact/hooks";
import { Button } from "../../components/button.tsx";
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
import { CostNote, usePreview } from "../../previews/preview.tsx";
import { strings } from "../../strings/strategies.ts";

const { prompts: texts } = strings;

/** Edits the instructions for summaries. The address names the strategy, unless the prompt is for all of them, and the profile. */
export function Prompts({ route: { id: strategy, query } }: { readonly route: Route }) {
  const { profile: scope = GLOBAL } = query;
  const prompts = useQuery<PromptsAnswer>("/prompts");
  const strategies = useQuery<StrategiesAnswer>("/strategies");
  const settings = useQuery<SettingsAnswer>("/settings", ["settings"]);
  const choose = (chosen: string) => {
    location.hash = hrefTo("prompts", chosen, scopeQuery(scope));
  };
  return (
    <Page
      title={texts.title}
      lead={texts.lead}
      actions={
        <>
          <ScopeChoice value={scope} page="prompts" id={strategy} />
          {strategies.value === undefined ? null : (
            <StrategyChoice all={strategies.value} value={strategy} onChoose={choose} />
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

/** Offers the strategies that have a prompt. The passes of `smart` have their own prompts, in its editor. */
function StrategyChoice({ all: { strategies }, value, onChoose }: StrategyChoiceProps) {
  const single = strategies.filter(({ defaults }) => "prompt" in defaults).map(({ id, name }) => [id, name] as const);
  return (
    <Choice label={texts.strategy} options={[["", texts.all] as const, ...single]} value={value} onChoose={onChoose} />
  );
}

interface PromptEditorProps extends PromptLocation {
  readonly known: PromptsAnswer;
  readonly settings: SettingsAnswer;
  readonly onChanged: () => void;
}

/** Edits one prompt, validates it while it is typed, and previews the request to the summarizer. */
function PromptEditor({ known, settings, scope, strategy, onChanged }: PromptEditorProps) {
  const location = { scope, strategy };
  const standard = defaultPrompt(known, strategy);
  const saved = promptAt(settings, location);
  const [prompt, setPrompt] = useState(saved.value === "" ? standard : saved.value);
  const choice = useConversation(settings);
  const body = useMemo(() => ({ prompt }), [prompt]);
  const checked = usePost<CheckedPromptAnswer>("/prompts/check", body, { debounceMs: DEBOUNCE_MS });
  // The check may still be that of an earlier text.
  const isValid = checked.body === body && checked.error === "" && checked.value?.faults.length === 0;
  // A prompt for all strategies is previewed with the first one that uses it.
  const shown = strategy === "" ? (known.prompts[0]?.strategies[0] ?? "") : strategy;
  const config = { ...configIn(settings, scope, shown).value, prompt };
  const preview = usePreview(choice, isValid ? { strategy: shown, config, ...scopeQuery(scope) } : undefined);
  const { run, isBusy } = useMutation();
  const save = async (next: string | undefined) => {
    const change = { entries: [promptEntry(settings, location, next)], ifRevision: settings.revision };
    const done = next === undefined ? texts.wasReset : texts.applied;
    if ((await run((api) => api.send("PATCH", "/settings", change), done)) === undefined) return;
    if (next === undefined) setPrompt(standard);
    onChanged();
  };
  const isOverridden = strategy !== "" && promptIn(settings, scope).value !== "";
  return (
    <>
      {isOverridden ? <p class="notice warn">{texts.overridden}</p> : null}
      <Card title={texts.prompt} detail={sourceOf(saved, prompt === standard)}>
        <PromptField prompt={prompt} checked={checked} placeholders={known.placeholders} onInput={setPrompt} />
        <div class="row end">
          <Button
            label={texts.reset}
            disabled={isBusy || (!saved.isSetHere && prompt === standard)}
            onClick={() => void save(undefined)}
          />
        </div>
        <div class="row end">
          <CostNote preview={preview} />
          <Button
            label={texts.apply}
            class="main"
            disabled={isBusy || !isValid}
            onClick={() => void save(prompt === standard ? undefined : prompt)}
          />
        </div>
      </Card>
      <PromptPreview choice={choice} text={preview.value?.summaries.request ?? checked.value?.preview} />
    </>
  );
}

function sourceOf(saved: ReturnType<typeof promptAt>, isStandard: boolean): string {
  const { default: standard, unsaved, custom, global } = texts.sources;
  if (isStandard) return standard;
  if (saved.value === "") return unsaved;
  return saved.isSetHere ? custom : global;
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
      <label for={id}>{texts.field}</label>
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
          {value === undefined ? "" : texts.tokens(value.tokens)} {texts.placeholders(placeholders.join(", "))}
        </p>
      </div>
    </div>
  );
}

interface PromptPreviewProps {
  readonly choice: ConversationChoice;
  /** The request to the summarizer; that of a short example if the conversation needs no summary. */
  readonly text: string | undefined;
}

function PromptPreview({ choice, text }: PromptPreviewProps) {
  return (
    <Card title={texts.preview} detail={texts.previewDetail}>
      <ConversationField choice={choice} />
      {text === undefined ? (
        <Loading />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll it
        <pre class="block prompt-preview" tabIndex={0}>
          {text}
        </pre>
      )}
    </Card>
  );
}
