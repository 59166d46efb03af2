import type { HistoryAnswer, ImportedAnswer, SettingsAnswer } from "@longhaul/admin/api";
import { useId, useState } from "preact/hooks";
import { FileChoice, saveFile } from "../../components/controls.tsx";
import { Card, HelpText, Page } from "../../components/page.tsx";
import type { Route } from "../../components/router.ts";
import { Empty, Loaded } from "../../components/status.tsx";
import { Table } from "../../components/table.tsx";
import { useMutation, useQuery } from "../../gateway/gateway.tsx";
import { common } from "../../strings/common.ts";
import { formatAgo } from "../../strings/format.ts";
import { strings } from "../../strings/settings.ts";
import { type SettingAnswer, SettingEditor } from "./setting-editor.tsx";

const { columns, history } = strings;

const REFRESH_ON = ["settings"];

export function Settings({ route }: { readonly route: Route }) {
  const query = useQuery<SettingsAnswer>("/settings", REFRESH_ON);
  const [search, setSearch] = useState(route.query.search ?? "");
  const [edited, setEdited] = useState<SettingAnswer>();
  const id = useId();
  return (
    <Page title={strings.title} lead={strings.lead} actions={<SettingFiles onImported={query.reload} />}>
      <div class="field">
        <label for={id}>{strings.search}</label>
        <input
          id={id}
          type="search"
          value={search}
          placeholder={strings.searchPlaceholder}
          onInput={({ currentTarget }) => setSearch(currentTarget.value)}
        />
      </div>
      <Loaded query={query}>
        {(value) => (
          <>
            {value.warnings.map((warning) => (
              <p key={warning} class="notice warn">
                {warning}
              </p>
            ))}
            <Groups answer={value} search={search} onEdit={setEdited} />
          </>
        )}
      </Loaded>
      <History onUndone={query.reload} />
      {edited === undefined || query.value === undefined ? null : (
        <SettingEditor
          setting={edited}
          revision={query.value.revision}
          onClose={() => setEdited(undefined)}
          onChanged={query.reload}
        />
      )}
    </Page>
  );
}

interface GroupsProps {
  readonly answer: SettingsAnswer;
  readonly search: string;
  readonly onEdit: (setting: SettingAnswer) => void;
}

function Groups({ answer: { groups, settings }, search, onEdit }: GroupsProps) {
  const found = settings.filter((setting) => matches(setting, search));
  if (found.length === 0) return <Empty title={strings.noMatch(search)} help={strings.noMatchHelp} />;
  return (
    <>
      {groups
        .map((group) => ({ ...group, settings: found.filter((setting) => setting.group === group.name) }))
        .filter((group) => group.settings.length > 0)
        .map((group) => (
          <Card key={group.name} title={group.name} detail={isSingle(group) ? undefined : <HelpText of={group.help} />}>
            <Table
              label={strings.tableLabel(group.name)}
              look="settings"
              rows={group.settings}
              keyOf={({ path }) => path}
              columns={[
                { name: columns.setting, render: (setting) => <Name setting={setting} /> },
                { name: columns.value, render: (setting) => <Value setting={setting} /> },
                { ...columns.source, render: ({ origin }) => <span class={badgeOf(origin)}>{origin}</span> },
                {
                  name: "",
                  render: (setting) =>
                    setting.storedAs === undefined ? null : (
                      <button type="button" onClick={() => onEdit(setting)} aria-label={common.editLabel(setting.path)}>
                        {common.edit}
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

/** Whether a group is a setting itself, which shows the same help text. */
function isSingle({ name, settings }: { readonly name: string; readonly settings: readonly SettingAnswer[] }): boolean {
  return settings.some(({ path }) => path === name);
}

function matches({ path, help, value, variable = "" }: SettingAnswer, search: string): boolean {
  const text = `${path} ${help} ${variable} ${JSON.stringify(value) ?? ""}`.toLowerCase();
  return search
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
        {variable === undefined ? "" : strings.variable(variable)}
        {needsRestart ? strings.needsRestart : ""}
      </p>
    </>
  );
}

function Value({ setting: { isSecret, isSet, value } }: { readonly setting: SettingAnswer }) {
  if (!isSet) return <span class="soft">{common.notSet}</span>;
  if (isSecret) return <span class="soft">{strings.hidden}</span>;
  return <code class="value">{textOf(value)}</code>;
}

function textOf(value: unknown, indent?: number): string {
  return typeof value === "string" ? value : JSON.stringify(value, undefined, indent);
}

function SettingFiles({ onImported }: { readonly onImported: () => void }) {
  const { run } = useMutation();
  const save = async () => {
    const file = await run((api) => api.get<object>("/settings/export"));
    if (file !== undefined) saveFile("longhaul-settings.json", JSON.stringify(file, null, 2));
  };
  const read = async (path: string, text: string) => {
    await run((api) => api.send<ImportedAnswer>("POST", path, { text }), describeImport);
    onImported();
  };
  return (
    <>
      <button type="button" onClick={() => void save()}>
        {strings.export}
      </button>
      <FileChoice
        label={strings.import}
        accept=".json,.yaml,.yml"
        onText={(text) => void read("/settings/import", text)}
      />
      <FileChoice label={strings.importRoo} accept=".json" onText={(text) => void read("/settings/import-roo", text)} />
    </>
  );
}

function describeImport({ entries, missing, leftOut }: ImportedAnswer): string {
  return [
    strings.imported(entries.length),
    ...(missing.length === 0 ? [] : [strings.missingSecrets(missing.join(", "))]),
    ...leftOut.map(({ path, why }) => strings.leftOut(path, why)),
  ].join(" ");
}

type HistoryRecord = HistoryAnswer["records"][number];

function History({ onUndone }: { readonly onUndone: () => void }) {
  const query = useQuery<HistoryAnswer>("/settings/history?limit=20", REFRESH_ON);
  const { run } = useMutation();
  const undo = async ({ revision, path }: HistoryRecord) => {
    await run((api) => api.send("POST", "/settings/undo", { revision, path }), history.undone(path));
    onUndone();
  };
  return (
    <Card title={history.title} detail={history.detail}>
      <Loaded query={query}>
        {({ records: all }) => {
          const records = all.filter(isChange);
          return records.length === 0 ? (
            <Empty title={history.empty} help={history.emptyHelp} />
          ) : (
            <HistoryTable records={records} onUndo={(record) => void undo(record)} />
          );
        }}
      </Loaded>
    </Card>
  );
}

interface HistoryTableProps {
  readonly records: readonly HistoryRecord[];
  readonly onUndo: (record: HistoryRecord) => void;
}

function HistoryTable({ records, onUndo }: HistoryTableProps) {
  return (
    <Table
      label={history.title}
      rows={records}
      keyOf={({ revision, path }) => `${revision} ${path}`}
      columns={[
        { name: columns.setting, render: ({ path }) => <code>{path}</code> },
        { name: common.before, render: ({ before, isSecret }) => <PastValue value={before} isSecret={isSecret} /> },
        { name: common.after, render: ({ after, isSecret }) => <PastValue value={after} isSecret={isSecret} /> },
        { name: history.by, render: ({ by, atMs }) => history.byWhen(by, formatAgo(atMs, Date.now())) },
        {
          name: "",
          render: (record) =>
            record.isSecret ? null : (
              <button type="button" onClick={() => onUndo(record)} aria-label={history.undoLabel(record.path)}>
                {history.undo}
              </button>
            ),
        },
      ]}
    />
  );
}

/** Leaves out records that stored the same value again. */
function isChange({ before, after, isSecret }: HistoryRecord): boolean {
  return isSecret || JSON.stringify(before) !== JSON.stringify(after);
}

/** Longer values are collapsed. */
const MAX_CHARS = 120;

function PastValue({ value, isSecret }: { readonly value: unknown; readonly isSecret: boolean }) {
  if (isSecret) return <span class="soft">{history.secret}</span>;
  if (value === undefined) return <span class="soft">{common.notSet}</span>;
  const text = textOf(value);
  if (text.length <= MAX_CHARS) return <code class="value">{text}</code>;
  return (
    <details>
      <summary>
        <code class="value">{text.slice(0, MAX_CHARS)} …</code>
      </summary>
      <pre class="block">{textOf(value, 2)}</pre>
    </details>
  );
}
