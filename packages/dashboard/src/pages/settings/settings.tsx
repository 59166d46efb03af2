import type { ImportedAnswer, SettingsAnswer } from "@longhaul/settings";
import { useId, useState } from "preact/hooks";
import { HelpWords } from "../../forms/labelled.tsx";
import { useChange } from "../../gateway/change.tsx";
import { useAnswer } from "../../gateway/gateway.tsx";
import { Empty, Show } from "../../parts/answered.tsx";
import { FileChoice, saveFile } from "../../parts/files.tsx";
import { Card, Page } from "../../parts/page.tsx";
import { Table } from "../../parts/table.tsx";
import type { Place } from "../../router.ts";
import { type SettingAnswer, SettingEditor } from "./setting-editor.tsx";
import { SettingHistory } from "./setting-history.tsx";

const NEWS = ["settings"];

/** Every setting: what holds, who says so, and how it is changed. */
export function Settings({ place }: { readonly place: Place }) {
  const answer = useAnswer<SettingsAnswer>("/settings", NEWS);
  const [words, setWords] = useState(place.query.search ?? "");
  const [shown, setShown] = useState<SettingAnswer>();
  const id = useId();
  return (
    <Page
      title="Settings"
      lead="What holds and who says so. What you change here goes before the file and the environment, and is put in force at once."
      actions={<SettingFiles onDone={answer.reload} />}
    >
      <div class="field">
        <label for={id}>Search</label>
        <input
          id={id}
          type="search"
          value={words}
          placeholder="a name, a value, or a word of the help text"
          onInput={({ currentTarget }) => setWords(currentTarget.value)}
        />
      </div>
      <Show answer={answer}>
        {(value) => (
          <>
            {value.warnings.map((warning) => (
              <p key={warning} class="notice warn">
                {warning}
              </p>
            ))}
            <Groups answer={value} words={words} onChoose={setShown} />
          </>
        )}
      </Show>
      <SettingHistory onUndone={answer.reload} />
      {shown === undefined || answer.value === undefined ? null : (
        <SettingEditor
          setting={shown}
          revision={answer.value.revision}
          onClose={() => setShown(undefined)}
          onChanged={answer.reload}
        />
      )}
    </Page>
  );
}

interface GroupsProps {
  readonly answer: SettingsAnswer;
  readonly words: string;
  readonly onChoose: (setting: SettingAnswer) => void;
}

function Groups({ answer: { groups, settings }, words, onChoose }: GroupsProps) {
  const found = settings.filter((setting) => isFound(setting, words));
  if (found.length === 0) return <Empty title={`No setting has to do with “${words}”`} />;
  return (
    <>
      {groups
        .map((group) => ({ ...group, settings: found.filter((setting) => setting.group === group.name) }))
        .filter((group) => group.settings.length > 0)
        .map((group) => (
          <Card key={group.name} title={group.name} detail={<HelpWords of={group.help} />}>
            <Table
              label={`Settings of ${group.name}`}
              look="settings"
              rows={group.settings}
              keyOf={({ path }) => path}
              columns={[
                { name: "Setting", show: (setting) => <Name setting={setting} /> },
                { name: "Value", show: (setting) => <Value setting={setting} /> },
                { name: "From", show: ({ origin }) => <span class={badgeOf(origin)}>{origin}</span> },
                {
                  name: "",
                  show: (setting) =>
                    setting.storedAs === undefined ? null : (
                      <button type="button" onClick={() => onChoose(setting)} aria-label={`Change ${setting.path}`}>
                        Change
                      </button>
                    ),
                },
              ]}
            />
          </Card>
        ))}
    </>
  );
}

function isFound({ path, help, value, variable = "" }: SettingAnswer, words: string): boolean {
  const text = `${path} ${help} ${variable} ${JSON.stringify(value) ?? ""}`.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function badgeOf(origin: string): string {
  if (origin === "default") return "badge";
  return origin === "stored" ? "badge accent" : "badge good";
}

function Name({ setting: { path, help, needsRestart, variable } }: { readonly setting: SettingAnswer }) {
  return (
    <>
      <code>{path}</code>
      <p class="soft small">
        <HelpWords of={help} />
        {variable === undefined ? "" : ` ${variable} sets it, too.`}
        {needsRestart ? " Takes effect after a restart." : ""}
      </p>
    </>
  );
}

function Value({ setting: { isSecret, isSet, value } }: { readonly setting: SettingAnswer }) {
  if (!isSet) return <span class="soft">not set</span>;
  if (isSecret) return <span class="soft">set, not shown</span>;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return <code class="value">{text}</code>;
}

/** All settings as a file, and back; or Roo Code's. */
function SettingFiles({ onDone }: { readonly onDone: () => void }) {
  const { make } = useChange();
  const save = async () => {
    const file = await make((api) => api.get<object>("/settings/export"));
    if (file !== undefined) saveFile("longhaul-settings.json", JSON.stringify(file, null, 2));
  };
  const read = async (text: string, isOfRoo: boolean) => {
    const path = isOfRoo ? "/settings/import-roo" : "/settings/import";
    await make((api) => api.send<ImportedAnswer>("POST", path, { text }), spellImport);
    onDone();
  };
  return (
    <>
      <button type="button" onClick={() => void save()}>
        Export
      </button>
      <FileChoice label="Import" accept=".json,.yaml,.yml" onText={(text) => void read(text, false)} />
      <FileChoice label="Import Roo's" accept=".json" onText={(text) => void read(text, true)} />
    </>
  );
}

function spellImport({ entries, missing, leftOut }: ImportedAnswer): string {
  const notes = [
    `${entries.length} settings were taken over.`,
    ...(missing.length === 0 ? [] : [`Secrets still to be set: ${missing.join(", ")}.`]),
    ...leftOut.map(({ path, why }) => `${path} was left out: ${why}.`),
  ];
  return notes.join(" ");
}
