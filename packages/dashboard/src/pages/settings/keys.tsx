import type { KeyAnswer, KeysAnswer } from "@longhaul/admin/api";
import { useState } from "preact/hooks";
import { Icon } from "../../components/icon.tsx";
import { Card, Page } from "../../components/page.tsx";
import { Empty, Loaded } from "../../components/status.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { useQuery } from "../../gateway/gateway.tsx";
import { formatAgo, formatUsd } from "../../strings/format.ts";
import { ChangeKey, LIMITS, NewKey, RevokeKey } from "./key-dialogs.tsx";

const NEWS = ["keys", "request"];

/** Who may use the gateway, and how much. */
export function Keys() {
  const answer = useQuery<KeysAnswer>("/keys", NEWS);
  const [isMaking, setMaking] = useState(false);
  const [changed, setChanged] = useState<KeyAnswer>();
  const [revoked, setRevoked] = useState<KeyAnswer>();
  return (
    <Page
      title="Keys"
      lead="Keys of the gateway itself. As soon as there is one, every client has to show one; limits hold over all gateways on the same database."
      actions={
        <button type="button" class="main" onClick={() => setMaking(true)}>
          <Icon name="plus" />
          New key
        </button>
      }
    >
      <Card>
        <Loaded query={answer}>
          {({ keys }) => <KeyTable keys={keys} onChange={setChanged} onRevoke={setRevoked} />}
        </Loaded>
      </Card>
      {isMaking ? <NewKey onClose={() => setMaking(false)} onMade={answer.reload} /> : null}
      {changed === undefined ? null : (
        <ChangeKey shown={changed} onClose={() => setChanged(undefined)} onChanged={answer.reload} />
      )}
      {revoked === undefined ? null : (
        <RevokeKey shown={revoked} onClose={() => setRevoked(undefined)} onRevoked={answer.reload} />
      )}
    </Page>
  );
}

interface KeyTableProps {
  readonly keys: readonly KeyAnswer[];
  readonly onChange: (key: KeyAnswer) => void;
  readonly onRevoke: (key: KeyAnswer) => void;
}

function KeyTable({ keys, onChange, onRevoke }: KeyTableProps) {
  if (keys.length === 0) {
    return (
      <Empty title="No keys yet">
        <p>Without keys, only clients on this machine are let in.</p>
      </Empty>
    );
  }
  const actions: Column<KeyAnswer> = {
    name: "",
    render: (key) =>
      isRevoked(key) ? null : (
        <div class="row end">
          <button type="button" onClick={() => onChange(key)}>
            Change
          </button>
          <button type="button" class="danger" onClick={() => onRevoke(key)}>
            Revoke
          </button>
        </div>
      ),
  };
  return (
    <>
      {keys.every(isRevoked) ? (
        <p class="notice warn">No key is valid any more, so every client is refused until you make a new one.</p>
      ) : null}
      <Table label="Keys" rows={keys} keyOf={({ id }) => id} columns={[...COLUMNS, actions]} />
    </>
  );
}

function isRevoked({ revokedAtMs }: KeyAnswer): boolean {
  return revokedAtMs !== undefined;
}

const COLUMNS: readonly Column<KeyAnswer>[] = [
  {
    name: "Name",
    render: ({ name, hint }) => (
      <>
        {name} <code class="soft">{hint}</code>
      </>
    ),
  },
  {
    name: "State",
    render: (key) => (isRevoked(key) ? <span class="badge bad">revoked</span> : <span class="badge good">valid</span>),
  },
  { name: "Limits", render: ({ limits }) => spellLimits(limits) },
  { name: "Today", isNumeric: true, render: ({ used }) => formatUsd(used.usdToday) },
  { name: "This month", isNumeric: true, render: ({ used }) => formatUsd(used.usdThisMonth) },
  { name: "Under way", isNumeric: true, render: ({ used }) => `${used.underWay}` },
  { name: "Made", isNumeric: true, render: ({ createdAtMs }) => formatAgo(createdAtMs, Date.now()) },
];

function spellLimits(limits: KeyAnswer["limits"]) {
  const all = LIMITS.filter(([name]) => limits[name] !== undefined);
  if (all.length === 0) return <span class="soft">none</span>;
  return all.map(([name, words]) => `${words}: ${limits[name]}`).join(", ");
}
