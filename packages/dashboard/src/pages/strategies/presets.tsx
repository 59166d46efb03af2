import type { PresetAnswer, PresetsAnswer, SettingsAnswer } from "@longhaul/admin/api";
import { useState } from "preact/hooks";
import { Button } from "../../components/button.tsx";
import { FileChoice } from "../../components/controls.tsx";
import { Confirm } from "../../components/dialog.tsx";
import { Card, Page } from "../../components/page.tsx";
import type { Route } from "../../components/router.ts";
import { Loaded } from "../../components/status.tsx";
import { configIn, GLOBAL, type Scope, ScopeChoice, strategyIn } from "../../forms/scope.tsx";
import { ApiError } from "../../gateway/api.ts";
import { useGateway, useMutation, useQuery } from "../../gateway/gateway.tsx";
import { useToast } from "../../gateway/toasts.tsx";
import { ConversationField, useConversation } from "../../previews/conversation-choice.tsx";
import { strings } from "../../strings/strategies.ts";
import { PresetCard, SavePreset } from "./preset-card.tsx";

const { presets: texts } = strings;

export function Presets({ route: { query } }: { readonly route: Route }) {
  const { profile: scope = GLOBAL } = query;
  const presets = useQuery<PresetsAnswer>("/presets");
  const settings = useQuery<SettingsAnswer>("/settings", ["settings"]);
  const choice = useConversation(settings.value);
  return (
    <Page
      title={texts.title}
      lead={texts.lead}
      actions={
        <>
          <ScopeChoice value={scope} page="presets" />
          {settings.value === undefined ? null : (
            <SaveCurrent settings={settings.value} scope={scope} onSaved={presets.reload} />
          )}
          <ImportPreset onImported={presets.reload} />
        </>
      }
    >
      <Card>
        <ConversationField choice={choice} />
        <p class="soft small">{texts.help}</p>
      </Card>
      <Loaded query={presets}>
        {({ presets: all }) => (
          <div class="grid two">
            {all.map((preset) => (
              <PresetCard
                key={preset.name}
                preset={preset}
                scope={scope}
                choice={choice}
                settings={settings.value}
                onChanged={() => {
                  presets.reload();
                  settings.reload();
                }}
              />
            ))}
          </div>
        )}
      </Loaded>
    </Page>
  );
}

interface SaveCurrentProps {
  readonly settings: SettingsAnswer;
  readonly scope: Scope;
  readonly onSaved: () => void;
}

function SaveCurrent({ settings, scope, onSaved }: SaveCurrentProps) {
  const [isSaving, setSaving] = useState(false);
  const { value: strategy } = strategyIn(settings, scope);
  return (
    <>
      <Button label={texts.saveCurrent} icon="plus" onClick={() => setSaving(true)} />
      {isSaving ? (
        <SavePreset
          title={texts.saveCurrent}
          strategy={strategy}
          config={configIn(settings, scope, strategy).value}
          onClose={() => setSaving(false)}
          onSaved={onSaved}
        />
      ) : null}
    </>
  );
}

/** Imports a preset from a file. Asks before it replaces a preset of the same name. */
function ImportPreset({ onImported }: { readonly onImported: () => void }) {
  const { api } = useGateway();
  const { run } = useMutation();
  const showToast = useToast();
  const [conflict, setConflict] = useState<{ readonly text: string; readonly message: string }>();
  const send = async (text: string, mayReplace: boolean) => {
    try {
      return await api.send<PresetAnswer>("POST", "/presets/import", { text, mayReplace });
    } catch (error) {
      if (mayReplace || !(error instanceof ApiError && error.code === "store.conflict")) throw error;
      setConflict({ text, message: error.message });
      return undefined;
    }
  };
  const read = async (text: string, mayReplace: boolean) => {
    const preset = await run(() => send(text, mayReplace));
    if (preset === undefined) return;
    showToast(texts.imported(preset.name));
    onImported();
  };
  return (
    <>
      <FileChoice label={texts.import} accept=".json" onText={(text) => void read(text, false)} />
      {conflict === undefined ? null : (
        <Confirm
          title={texts.replaceTitle}
          action={texts.replace}
          onConfirm={() => {
            setConflict(undefined);
            void read(conflict.text, true);
          }}
          onClose={() => setConflict(undefined)}
        >
          {conflict.message}
        </Confirm>
      )}
    </>
  );
}
