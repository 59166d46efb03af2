import type { HealthAnswer, KeyAnswer, KeysAnswer } from "@longhaul/admin/api";
import { useState } from "preact/hooks";
import { Button } from "../../components/button.tsx";
import { Card, Page } from "../../components/page.tsx";
import { hrefTo } from "../../components/router.ts";
import { Empty, Loaded } from "../../components/status.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { useQuery } from "../../gateway/gateway.tsx";
import { common } from "../../strings/common.ts";
import { formatAgo, formatUsd } from "../../strings/format.ts";
import { strings } from "../../strings/keys.ts";
import { EditKey, LIMITS, NewKey, RevokeKey } from "./key-dialogs.tsx";

export function Keys() {
  const query = useQuery<KeysAnswer>("/keys", ["keys", "request"]);
  const [isCreating, setCreating] = useState(false);
  const [edited, setEdited] = useState<KeyAnswer>();
  const [revoked, setRevoked] = useState<KeyAnswer>();
  return (
    <Page
      title={strings.title}
      lead={strings.lead}
      actions={<Button label={strings.create} icon="plus" class="main" onClick={() => setCreating(true)} />}
    >
      <AlertNotice />
      <Card>
        <Loaded query={query}>{({ keys }) => <KeyTable keys={keys} onEdit={setEdited} onRevoke={setRevoked} />}</Loaded>
      </Card>
      {isCreating ? <NewKey onClose={() => setCreating(false)} onCreated={query.reload} /> : null}
      {edited === undefined ? null : (
        <EditKey shown={edited} onClose={() => setEdited(undefined)} onChanged={query.reload} />
      )}
      {revoked === undefined ? null : (
        <RevokeKey shown={revoked} onClose={() => setRevoked(undefined)} onChanged={query.reload} />
      )}
    </Page>
  );
}

/** Warns if the operator's webhook does not get the alerts. */
function AlertNotice() {
  const { value } = useQuery<HealthAnswer>("/health", ["keys"]);
  if (value?.alertFailure === undefined) return null;
  return (
    <p class="notice warn">
      {strings.alertFailure(value.alertFailure)}{" "}
      <a href={hrefTo("settings", "", { search: "alerts" })}>{common.edit}</a>
    </p>
  );
}

interface KeyTableProps {
  readonly keys: readonly KeyAnswer[];
  readonly onEdit: (key: KeyAnswer) => void;
  readonly onRevoke: (key: KeyAnswer) => void;
}

function KeyTable({ keys, onEdit, onRevoke }: KeyTableProps) {
  if (keys.length === 0) return <Empty title={strings.empty} help={strings.emptyHelp} />;
  const actions: Column<KeyAnswer> = {
    name: "",
    render: (key) =>
      isRevoked(key) ? null : (
        <div class="row end">
          <Button label={common.edit} onClick={() => onEdit(key)} />
          <Button label={strings.revoke} class="danger" onClick={() => onRevoke(key)} />
        </div>
      ),
  };
  return (
    <>
      {keys.every(isRevoked) ? <p class="notice warn">{strings.allRevoked}</p> : null}
      <Table label={strings.title} rows={keys} keyOf={({ id }) => id} columns={[...COLUMNS, actions]} />
    </>
  );
}

function isRevoked({ revokedAtMs }: KeyAnswer): boolean {
  return revokedAtMs !== undefined;
}

const { columns } = strings;

const COLUMNS: readonly Column<KeyAnswer>[] = [
  {
    name: common.name,
    render: ({ name, hint }) => (
      <>
        {name} <code class="soft">{hint}</code>
      </>
    ),
  },
  {
    name: columns.status,
    render: (key) => (
      <span class={`badge ${isRevoked(key) ? "bad" : "good"}`}>
        {isRevoked(key) ? strings.revoked : strings.active}
      </span>
    ),
  },
  { name: columns.models, render: ({ models }) => <code>{models.join(", ") || strings.allModels}</code> },
  { name: columns.limits, render: ({ limits }) => describeLimits(limits) },
  { name: columns.today, isNumeric: true, render: ({ used }) => formatUsd(used.usdToday) },
  { name: columns.thisMonth, isNumeric: true, render: ({ used }) => formatUsd(used.usdThisMonth) },
  { ...columns.inProgress, isNumeric: true, render: ({ used }) => `${used.underWay}` },
  { name: columns.created, isNumeric: true, render: ({ createdAtMs }) => formatAgo(createdAtMs, Date.now()) },
];

function describeLimits(limits: KeyAnswer["limits"]): string {
  const all = LIMITS.flatMap((name) => {
    const limit = limits[name];
    return limit === undefined ? [] : [strings.limit[name](limit)];
  });
  return all.length === 0 ? common.none : all.join(", ");
}
