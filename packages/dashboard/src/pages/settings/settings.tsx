import type { HistoryAnswer, ImportedAnswer, SettingsAnswer } from "@longhaul/admin/api";
import { useId, useState } from "preact/hooks";
import { FileChoice, saveFile } from "../../components/controls.tsx";
import { Card, Page } from "../../components/page.tsx";
import type { Route } from "../../components/router.ts";
import { Empty, Loaded } from "../../components/status.tsx";
import { Table } from "../../components/table.tsx";
import { HelpText } from "../../forms/fields.tsx";
import { useMutation, useQuery } from "../../gateway/gateway.tsx";
import { formatAgo } from "../../strings/format.ts";
import { type SettingAnswer, SettingEditor } from "./setting-editor.tsx";

const NEWS = ["settings"];

/** Every setting: what holds, who says so, and how it is changed. */
export function Settings({ place }: { readonly place: Route }) {
  const answer = useQuery<SettingsAnswer>("/settings", NEWS);
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
      <Loaded query={answer}>
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
      </Loaded>
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
          <Card key={group.name} title={group.name} detail={<HelpText of={group.help} />}>
            <Table
              label={`Settings of ${group.name}`}
              look="settings"
              rows={group.settings}
              keyOf={({ path }) => path}
              columns={[
                { name: "Setting", render: (setting) => <Name setting={setting} /> },
                { name: "Value", render: (setting) => <Value setting={setting} /> },
                { name: "From", render: ({ origin }) => <span class={badgeOf(origin)}>{origin}</span> },
                {
                  name: "",
                  render: (setting) =>
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
        <HelpText of={help} />
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
  const { run: make } = useMutation();
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

/** What was changed lately, each to be undone. */
export function SettingHistory({ onUndone }: { readonly onUndone: () => void }) {
  const answer = useQuery<HistoryAnswer>("/settings/history?limit=20", NEWS);
  const { run: make } = useMutation();
  const undo = async (revision: number, path: string) => {
    await make((api) => api.send("POST", "/settings/undo", { revision, path }), `${path} is as it was before.`);
    onUndone();
  };
  return (
    <Card title="History" detail="what was changed here">
      <Loaded query={answer}>
        {({ records: all }) => {
          const records = all.filter(isChange);
          return records.length === 0 ? (
            <Empty title="Nothing was changed yet" />
          ) : (
            <Table
              label="History"
              rows={records}
              keyOf={({ revision, path }) => `${revision} ${path}`}
              columns={[
                { name: "Setting", render: ({ path }) => <code>{path}</code> },
                { name: "Before", render: ({ before, isSecret }) => <Past value={before} isSecret={isSecret} /> },
                { name: "After", render: ({ after, isSecret }) => <Past value={after} isSecret={isSecret} /> },
                { name: "By", render: ({ by, atMs }) => `${by}, ${formatAgo(atMs, Date.now())}` },
                {
                  name: "",
                  render: ({ revision, path, isSecret }) =>
                    isSecret ? null : (
                      <button type="button" onClick={() => void undo(revision, path)} aria-label={`Undo ${path}`}>
                        Undo
                      </button>
                    ),
                },
              ]}
            />
          );
        }}
      </Loaded>
    </Card>
  );
}

type HistoryRecord = HistoryAnswer["records"][number];

/** What was applied as it stood before is no change. */
function isChange({ before, after, isSecret }: HistoryRecord): boolean {
  return isSecret || JSON.stringify(before) !== JSON.stringify(after);
}

/** Longer values are opened by whoever wants to read them. */
const MAX_LETTERS = 120;

function Past({ value, isSecret }: { readonly value: unknown; readonly isSecret: boolean }) {
  if (isSecret) return <span class="soft">secret</span>;
  if (value === undefined) return <span class="soft">not set</span>;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (text.length <= MAX_LETTERS) return <code class="value">{text}</code>;
  return (
    <details>
      <summary>
        <code class="value">{text.slice(0, MAX_LETTERS)} …</code>
      </summary>
      <pre class="block">{typeof value === "string" ? value : JSON.stringify(value, undefined, 2)}</pre>
    </details>
  );
}
