import type { CheckedPromptAnswer, PromptsAnswer, SettingsAnswer } from "@longhaul/settings";
import { useId, useMemo, useState } from "preact/hooks";
import { spellCount } from "../../format.ts";
import { useChange } from "../../gateway/change.tsx";
import { type Posted, REST_MS, usePosted } from "../../gateway/gateway.tsx";
import { Loading } from "../../parts/answered.tsx";
import { Card } from "../../parts/page.tsx";
import {
  type ConversationChoice,
  ConversationField,
  useConversation,
  wishFor,
} from "../../previews/conversation-choice.tsx";
import { CostNote, usePreview } from "../../previews/use-preview.tsx";
import {
  configIn,
  defaultPrompt,
  EVERYWHERE,
  inScope,
  type PromptPlace,
  promptAt,
  promptEntry,
  promptIn,
} from "../../settings/scope.ts";

interface PromptEditorProps extends PromptPlace {
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
  const checked = usePosted<CheckedPromptAnswer>("/prompts/check", body, { restMs: REST_MS });
  // What was checked may read otherwise by now.
  const isUsable = checked.body === body && checked.error === "" && checked.value?.faults.length === 0;
  // A prompt for all strategies is shown with the first that uses one.
  const shown = strategy === "" ? (known.prompts[0]?.strategies[0] ?? "") : strategy;
  const config = { ...configIn(settings, scope, shown).value, prompt };
  const preview = usePreview(isUsable ? wishFor(choice, { strategy: shown, config, ...inScope(scope) }) : undefined);
  const { make, isBusy } = useChange();
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
            disabled={isBusy || (!held.isOwn && prompt === usual)}
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

function Overruled({ settings, scope, strategy }: PromptPlace & { readonly settings: SettingsAnswer }) {
  if (strategy === "" || promptIn(settings, scope).value === "") return null;
  return (
    <p class="notice warn">
      There is a prompt for every strategy that summarises{scope === EVERYWHERE ? "" : " here or everywhere"}. It goes
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
  return <>{held.isOwn ? "yours" : "as everywhere"}</>;
}

interface PromptFieldProps {
  readonly prompt: string;
  readonly checked: Posted<CheckedPromptAnswer>;
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
          {value === undefined ? "" : `${spellCount(value.tokens)} tokens. `}
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
