import type { HistoryAnswer, RouteMatchAnswer, SettingSpecsAnswer, SettingsAnswer } from "@longhaul/admin/api";
import { useMemo, useState } from "preact/hooks";
import { Button } from "../../components/button.tsx";
import { Dialog, DialogButtons } from "../../components/dialog.tsx";
import { Icon, type IconName } from "../../components/icon.tsx";
import { Card, Page } from "../../components/page.tsx";
import { Empty, Loaded } from "../../components/status.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { faultsOf } from "../../forms/faults.ts";
import { isList, isRecord, type Json, type JsonRecord, type Schema } from "../../forms/schema.ts";
import { ValueForm } from "../../forms/schema-form.tsx";
import { useMutation, useQuery } from "../../gateway/gateway.tsx";
import { common } from "../../strings/common.ts";
import { strings } from "../../strings/routes.ts";
import { RouteCheck } from "./route-check.tsx";
import { sectionSchema } from "./sections.tsx";

/** A row of the table: a route and its position. */
interface RouteRow {
  readonly route: JsonRecord;
  readonly index: number;
}

export function Routes() {
  const query = useQuery<SettingsAnswer>("/settings", ["settings"]);
  const specs = useQuery<SettingSpecsAnswer>("/settings/specs");
  const [found, setFound] = useState<RouteMatchAnswer>();
  const [edited, setEdited] = useState<RouteRow>();
  const { run } = useMutation();
  const setting = query.value?.settings.find(({ path }) => path === "routes");
  const routes = routesIn(setting?.value);
  const store = async (value: readonly JsonRecord[] | undefined, done: string) => {
    const entry = { path: "routes", ...(value !== undefined && { value }) };
    const body = { entries: [entry], ifRevision: query.value?.revision };
    const answer = await run((api) => api.send("PATCH", "/settings", body), done);
    if (answer !== undefined) query.reload();
    return answer !== undefined;
  };
  const addButton = (
    <Button
      label={strings.add}
      icon="plus"
      class="main"
      onClick={() => setEdited({ route: {}, index: routes.length })}
    />
  );
  return (
    <Page title={strings.title} lead={strings.lead} actions={addButton}>
      <RouteCheck routes={routes} onFound={setFound} />
      <Loaded query={query}>
        {() => (
          <Card title={strings.order} detail={strings.source(setting?.origin ?? "")}>
            {setting?.origin === "stored" || routes.length === 0 ? null : (
              <p class="notice">{strings.overrides(setting?.origin ?? "")}</p>
            )}
            <RouteTable routes={routes} matched={found?.index} onEdit={setEdited} store={store} />
            <div class="row end">
              <UndoButton onUndone={query.reload} />
              {setting?.origin === "stored" ? (
                <Button label={strings.removeOverride} onClick={() => void store(undefined, strings.overrideRemoved)} />
              ) : null}
            </div>
          </Card>
        )}
      </Loaded>
      {edited === undefined || specs.value === undefined ? null : (
        <RouteEditor
          specs={specs.value}
          shown={edited.index < routes.length ? edited.route : undefined}
          onSave={(route) => store(routes.toSpliced(edited.index, 1, route), strings.saved)}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Page>
  );
}

function routesIn(value: unknown): readonly JsonRecord[] {
  return isList(value) ? value.filter(isRecord) : [];
}

interface RouteTableProps {
  readonly routes: readonly JsonRecord[];
  readonly matched: number | undefined;
  readonly onEdit: (row: RouteRow) => void;
  readonly store: (value: readonly JsonRecord[], done: string) => Promise<boolean>;
}

const { columns } = strings;

function RouteTable({ routes, matched, onEdit, store }: RouteTableProps) {
  const actions: Column<RouteRow> = {
    name: "",
    render: (row) => <RouteActions row={row} routes={routes} onEdit={onEdit} store={store} />,
  };
  return (
    <Table
      label={strings.title}
      rows={routes.map((route, index) => ({ route, index }))}
      keyOf={({ index }) => `${index}`}
      empty={<Empty title={strings.empty} help={strings.emptyHelp} />}
      columns={[
        {
          name: columns.match,
          render: ({ route, index }) => (
            <>
              {index + 1}. <code>{textOf(route.match)}</code>{" "}
              {index === matched ? <span class="badge good">{strings.matches}</span> : null}
            </>
          ),
        },
        { ...columns.upstreams, render: ({ route }) => upstreamsOf(route).join(", ") },
        { ...columns.model, render: ({ route }) => modelOf(route) },
        { name: columns.profile, render: ({ route }) => textOf(route.profile) || common.none },
        { name: columns.credential, render: ({ route }) => textOf(route.credential) || strings.any },
        actions,
      ]}
    />
  );
}

function RouteActions({ row, routes, onEdit, store }: Omit<RouteTableProps, "matched"> & { readonly row: RouteRow }) {
  const { route, index } = row;
  const match = textOf(route.match);
  const move = (to: number) => void store(routes.toSpliced(index, 1).toSpliced(to, 0, route), strings.moved(match));
  return (
    <div class="row end">
      <MoveButton icon="up" label={strings.moveUp(match)} disabled={index === 0} onClick={() => move(index - 1)} />
      <MoveButton
        icon="down"
        label={strings.moveDown(match)}
        disabled={index === routes.length - 1}
        onClick={() => move(index + 1)}
      />
      <Button label={common.edit} aria-label={common.editLabel(match)} onClick={() => onEdit(row)} />
      <Button
        label={common.remove}
        class="danger"
        aria-label={strings.remove(match)}
        onClick={() => void store(routes.toSpliced(index, 1), strings.removed(match))}
      />
    </div>
  );
}

interface MoveButtonProps {
  readonly icon: IconName;
  readonly label: string;
  readonly disabled: boolean;
  readonly onClick: () => void;
}

function MoveButton({ icon, label, ...attributes }: MoveButtonProps) {
  return (
    <button type="button" class="quiet" aria-label={label} title={label} {...attributes}>
      <Icon name={icon} />
    </button>
  );
}

const LAST_CHANGE = "/settings/history?path=routes&limit=1";

/** Restores the routes before the last stored change. */
function UndoButton({ onUndone }: { readonly onUndone: () => void }) {
  const history = useQuery<HistoryAnswer>(LAST_CHANGE, ["settings"]);
  const { run } = useMutation();
  if ((history.value?.records ?? []).length === 0) return null;
  const undo = async () => {
    await run(async (api) => {
      // A change may have been made after the list was loaded.
      const [last] = (await api.get<HistoryAnswer>(LAST_CHANGE)).records;
      return api.send("POST", "/settings/undo", { revision: last?.revision, path: "routes" });
    }, strings.undone);
    history.reload();
    onUndone();
  };
  return <Button label={strings.undo} onClick={() => void undo()} />;
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

function upstreamsOf({ upstream }: JsonRecord): readonly string[] {
  return (isList(upstream) ? upstream : [upstream]).filter((id) => typeof id === "string");
}

function modelOf({ model, models }: JsonRecord): string {
  const each = isRecord(models) ? Object.entries(models).map(([id, name]) => `${id}: ${textOf(name)}`) : [];
  return [textOf(model), ...each].filter((text) => text !== "").join(", ") || strings.asSent;
}

interface RouteEditorProps {
  readonly specs: SettingSpecsAnswer;
  /** Absent for a new route. */
  readonly shown: JsonRecord | undefined;
  /** Returns whether the route was stored. */
  readonly onSave: (route: JsonRecord) => Promise<boolean>;
  readonly onClose: () => void;
}

/** A form for one route. Settings that it does not show are kept. */
function RouteEditor({ specs, shown, onSave, onClose }: RouteEditorProps) {
  const schema = useMemo(() => routeSchema(specs), [specs]);
  const [value, setValue] = useState<Json | undefined>(() => withUpstreams(shown ?? {}));
  const [isBusy, setBusy] = useState(false);
  const faults = faultsOf(schema, value);
  const further = Object.keys(shown ?? {}).filter((name) => !FIELDS.includes(name));
  const save = async () => {
    setBusy(true);
    const isStored = await onSave(routeOf(value));
    setBusy(false);
    if (isStored) onClose();
  };
  return (
    <Dialog title={shown === undefined ? strings.new : strings.edit(String(shown.match))} onClose={onClose}>
      <ValueForm schema={schema} value={value} faults={faults} onChange={setValue} />
      {further.length === 0 ? null : <p class="soft small">{strings.furtherHelp(further.join(", "))}</p>}
      <DialogButtons onClose={onClose}>
        <Button
          label={common.save}
          class="main"
          disabled={isBusy || faults.length > 0 || !isComplete(value)}
          onClick={() => void save()}
        />
      </DialogButtons>
    </Dialog>
  );
}

const FIELDS: readonly string[] = ["match", "upstream", "model", "models", "profile", "credential"];

function routeSchema(specs: SettingSpecsAnswer): Schema {
  const { properties = {} } = sectionSchema(specs, "routes");
  const shown = FIELDS.flatMap((name) => (properties[name] === undefined ? [] : [[name, properties[name]] as const]));
  const upstream = { type: "array", items: { type: "string" }, description: strings.upstreamHelp };
  return { type: "object", properties: { ...Object.fromEntries(shown), upstream } };
}

/** The form edits a list. */
export function withUpstreams(route: JsonRecord): JsonRecord {
  const { upstream } = route;
  return upstream === undefined || isList(upstream) ? route : { ...route, upstream: [upstream] };
}

/** A single upstream is stored as a text, as people write it. */
export function routeOf(value: Json | undefined): JsonRecord {
  const route = isRecord(value) ? value : {};
  const { upstream } = route;
  const [only, ...others] = isList(upstream) ? upstream : [];
  return only !== undefined && others.length === 0 ? { ...route, upstream: only } : route;
}

function isComplete(value: Json | undefined): boolean {
  const { match, upstream } = isRecord(value) ? value : {};
  return typeof match === "string" && match !== "" && isList(upstream) && upstream.length > 0;
}
