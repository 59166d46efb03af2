import type { HistoryAnswer, ImportedAnswer, SettingsAnswer } from "@longhaul/settings";
import { useId, useState } from "preact/hooks";
import { useChange } from "../change.tsx";
import { spellAgo } from "../format.ts";
import { faultsOf } from "../forms/faults.ts";
import { isJson, isSchema, type Json, type Schema, setAt } from "../forms/schema.ts";
import { SchemaField } from "../forms/schema-form.tsx";
import { useAnswer } from "../gateway.tsx";
import { Empty, Show } from "../parts/answered.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { FileChoice, saveFile } from "../parts/files.tsx";
import { Card, Page } from "../parts/page.tsx";
import { Table } from "../parts/table.tsx";
import type { Place } from "../router.ts";
import { storedPath } from "../stored-path.ts";

type SettingAnswer = SettingsAnswer["settings"][number];

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
      actions={<Files onDone={answer.reload} />}
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
      <History onUndone={answer.reload} />
      {shown === undefined || answer.value === undefined ? null : (
        <Editor
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
          <Card key={group.name} title={group.name} detail={group.help}>
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
        {help}
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

interface EditorProps {
  readonly setting: SettingAnswer;
  readonly revision: number;
  readonly onClose: () => void;
  readonly onChanged: () => void;
}

function Editor({ setting, revision, onClose, onChanged }: EditorProps) {
  const { make, isBusy, faults: refused } = useChange();
  const [value, setValue] = useState<Json | undefined>(isJson(setting.value) ? setting.value : undefined);
  const schema: Schema = isSchema(setting.schema) ? { ...setting.schema, description: setting.help } : {};
  const faults = faultsOf(schema, value);
  const path = storedPath(setting);
  const store = async (entry: { readonly path: string; readonly value?: Json }) => {
    const body = { entries: [entry], ifRevision: revision };
    const answer = await make((api) => api.send("PATCH", "/settings", body), `${path} was changed.`);
    if (answer === undefined) return;
    onChanged();
    onClose();
  };
  return (
    <Dialog title={path} onClose={onClose}>
      {setting.isSecret ? (
        <SecretField help={setting.help} isText={schema.type !== "object"} onInput={setValue} />
      ) : (
        <SchemaField
          schema={schema}
          name={nameOf(path)}
          value={value}
          path={[]}
          faults={faults}
          onChange={(at, next) => setValue(setAt(value, at, next))}
        />
      )}
      {refused.map(({ message }) => (
        <p key={message} class="notice bad">
          {message}
        </p>
      ))}
      <div class="row end">
        {setting.origin === "stored" ? (
          <button type="button" disabled={isBusy} onClick={() => void store({ path })}>
            Take back what is stored
          </button>
        ) : null}
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        <button
          type="button"
          class="main"
          disabled={isBusy || faults.length > 0 || value === undefined}
          onClick={() => void store({ path, ...(value === undefined ? {} : { value }) })}
        >
          Save
        </button>
      </div>
    </Dialog>
  );
}

function nameOf(path: string): string {
  return path.split(".").at(-1) ?? path;
}

interface SecretFieldProps {
  readonly help: string;
  /** Else it is JSON. */
  readonly isText: boolean;
  readonly onInput: (value: Json | undefined) => void;
}

function SecretField({ help, isText, onInput }: SecretFieldProps) {
  const id = useId();
  const read = (text: string) => onInput(text === "" ? undefined : isText ? text : parseJson(text));
  return (
    <div class="field">
      <label for={id}>{isText ? "New value" : "New value, as JSON"}</label>
      <input id={id} type="password" autocomplete="off" onInput={({ currentTarget }) => read(currentTarget.value)} />
      <p class="help">{help} It is written, and never shown again.</p>
    </div>
  );
}

function parseJson(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJson(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function History({ onUndone }: { readonly onUndone: () => void }) {
  const answer = useAnswer<HistoryAnswer>("/settings/history?limit=20", NEWS);
  const { make } = useChange();
  const undo = async (revision: number, path: string) => {
    await make((api) => api.send("POST", "/settings/undo", { revision, path }), `${path} is as it was before.`);
    onUndone();
  };
  return (
    <Card title="History" detail="what was changed here">
      <Show answer={answer}>
        {({ records }) =>
          records.length === 0 ? (
            <Empty title="Nothing was changed yet" />
          ) : (
            <Table
              label="History"
              rows={records}
              keyOf={({ revision, path }) => `${revision} ${path}`}
              columns={[
                { name: "Setting", show: ({ path }) => <code>{path}</code> },
                { name: "Before", show: ({ before, isSecret }) => <Past value={before} isSecret={isSecret} /> },
                { name: "After", show: ({ after, isSecret }) => <Past value={after} isSecret={isSecret} /> },
                { name: "By", show: ({ by, atMs }) => `${by}, ${spellAgo(atMs, Date.now())}` },
                {
                  name: "",
                  show: ({ revision, path, isSecret }) =>
                    isSecret ? null : (
                      <button type="button" onClick={() => void undo(revision, path)} aria-label={`Undo ${path}`}>
                        Undo
                      </button>
                    ),
                },
              ]}
            />
          )
        }
      </Show>
    </Card>
  );
}

function Past({ value, isSecret }: { readonly value: unknown; readonly isSecret: boolean }) {
  if (isSecret) return <span class="soft">secret</span>;
  if (value === undefined) return <span class="soft">not set</span>;
  return <code class="value">{typeof value === "string" ? value : JSON.stringify(value)}</code>;
}

function Files({ onDone }: { readonly onDone: () => void }) {
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
