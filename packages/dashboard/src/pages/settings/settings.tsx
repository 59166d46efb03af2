import type { HistoryAnswer, ImportedAnswer, SettingsAnswer } from "@longhaul/admin/api";
import { useState } from "preact/hooks";
import { Button } from "../../components/button.tsx";
import { FileChoice, InputField, saveFile } from "../../components/controls.tsx";
import { Card, HelpText, Page } from "../../components/page.tsx";
import type { Route } from "../../components/router.ts";
import { Empty, Loaded, Warnings } from "../../components/status.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { useMutation, useQuery } from "../../gateway/gateway.tsx";
import { common } from "../../strings/common.ts";
import { formatAgo } from "../../strings/format.ts";
import { strings } from "../../strings/settings.ts";
import { type SettingAnswer, SettingEditor } from "./setting-editor.tsx";

const { columns, history } = strings;

export function Settings({ route }: { readonly route: Route }) {
  const query = useQuery<SettingsAnswer>("/settings", ["settings"]);
  const [search, setSearch] = useState(route.query.search ?? "");
  const [edited, setEdited] = useState<SettingAnswer>();
  return (
    <Page title={strings.title} lead={strings.lead} actions={<SettingFiles onImported={query.reload} />}>
      <InputField
        label={strings.search}
        type="search"
        value={search}
        placeholder={strings.searchPlaceholder}
        onText={setSearch}
      />
      <Loaded query={query}>
        {(value) => (
          <>
            <Warnings texts={value.warnings} />
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
      {[...groups.filter(({ name }) => !LAST_GROUPS.has(name)), ...groups.filter(({ name }) => LAST_GROUPS.has(name))]
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
                      <Button
                        label={common.edit}
                        onClick={() => onEdit(setting)}
                        aria-label={common.editLabel(setting.path)}
                      />
                    ),
                },
              ]}
            />
          </Card>
        ))}
    </>
  );
}

/** Settings that hardly anyone changes here. */
const LAST_GROUPS: ReadonlySet<string> = new Set(["version", "strategyModules"]);

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
      <Button label={strings.export} onClick={save} />
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
  const query = useQuery<HistoryAnswer>("/settings/history?limit=20", ["settings"]);
  const { run } = useMutation();
  const undo = async ({ revision, path }: HistoryRecord) => {
    await run((api) => api.send("POST", "/settings/undo", { revision, path }), history.undone(path));
    onUndone();
  };
  const columns: readonly Column<HistoryRecord>[] = [
    { name: strings.columns.setting, render: ({ path }) => <code>{path}</code> },
    { name: common.before, render: ({ before, isSecret }) => <PastValue value={before} isSecret={isSecret} /> },
    { name: common.after, render: ({ after, isSecret }) => <PastValue value={after} isSecret={isSecret} /> },
    { name: history.by, render: ({ by, atMs }) => history.byWhen(by, formatAgo(atMs, Date.now())) },
    {
      name: "",
      render: (record) =>
        record.isSecret ? null : (
          <Button label={history.undo} onClick={() => undo(record)} aria-label={history.undoLabel(record.path)} />
        ),
    },
  ];
  return (
    <Card title={history.title} detail={history.detail}>
      <Loaded query={query}>
        {({ records }) => (
          <Table
            label={history.title}
            rows={records.filter(isChange)}
            keyOf={({ revision, path }) => `${revision} ${path}`}
            columns={columns}
            empty={<Empty title={history.empty} help={history.emptyHelp} />}
          />
        )}
      </Loaded>
    </Card>
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
