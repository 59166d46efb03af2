import type { KeyAnswer, KeysAnswer, NewKeyAnswer } from "@longhaul/settings";
import { useState } from "preact/hooks";
import { useChange } from "../change.tsx";
import { spellAgo, spellUsd } from "../format.ts";
import { useAnswer } from "../gateway.tsx";
import { Empty, Show } from "../parts/answered.tsx";
import { Copyable } from "../parts/copy.tsx";
import { Confirm, Dialog } from "../parts/dialog.tsx";
import { Icon } from "../parts/icon.tsx";
import { Card, Page } from "../parts/page.tsx";
import { type Column, Table } from "../parts/table.tsx";

const NEWS = ["keys", "request"];

/** Who may use the gateway, and how much. */
export function Keys() {
  const answer = useAnswer<KeysAnswer>("/keys", NEWS);
  const [isMaking, setMaking] = useState(false);
  const [changed, setChanged] = useState<KeyAnswer>();
  const [revoked, setRevoked] = useState<KeyAnswer>();
  const columns: readonly Column<KeyAnswer>[] = [
    ...COLUMNS,
    {
      name: "",
      show: (key) =>
        key.revokedAtMs === undefined ? (
          <div class="row end">
            <button type="button" onClick={() => setChanged(key)}>
              Change
            </button>
            <button type="button" class="danger" onClick={() => setRevoked(key)}>
              Revoke
            </button>
          </div>
        ) : null,
    },
  ];
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
        <Show answer={answer}>
          {({ keys }) =>
            keys.length === 0 ? (
              <Empty title="No keys yet">
                <p>Without keys, only clients on this machine are let in.</p>
              </Empty>
            ) : (
              <Table label="Keys" rows={keys} keyOf={({ id }) => id} columns={columns} />
            )
          }
        </Show>
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

const COLUMNS: readonly Column<KeyAnswer>[] = [
  {
    name: "Name",
    show: ({ name, hint }) => (
      <>
        {name} <code class="soft">{hint}</code>
      </>
    ),
  },
  {
    name: "State",
    show: ({ revokedAtMs }) =>
      revokedAtMs === undefined ? <span class="badge good">valid</span> : <span class="badge bad">revoked</span>,
  },
  { name: "Limits", show: ({ limits }) => spellLimits(limits) },
  { name: "Today", isFigure: true, show: ({ used }) => spellUsd(used.usdToday) },
  { name: "This month", isFigure: true, show: ({ used }) => spellUsd(used.usdThisMonth) },
  { name: "Under way", isFigure: true, show: ({ used }) => `${used.underWay}` },
  { name: "Made", isFigure: true, show: ({ createdAtMs }) => spellAgo(createdAtMs, Date.now()) },
];

function spellLimits(limits: KeyAnswer["limits"]) {
  const all = LIMITS.filter(([name]) => limits[name] !== undefined);
  if (all.length === 0) return <span class="soft">none</span>;
  return all.map(([name, words]) => `${words}: ${limits[name]}`).join(", ");
}

const LIMITS = [
  ["requestsPerMinute", "Requests per minute"],
  ["concurrent", "Requests at once"],
  ["usdPerDay", "USD per day"],
  ["usdPerMonth", "USD per month"],
] as const;

function LimitFields({ limits }: { readonly limits: KeyAnswer["limits"] }) {
  return (
    <fieldset class="form">
      <legend>Limits</legend>
      <p class="help soft small">What is left empty is not limited.</p>
      {LIMITS.map(([name, words]) => (
        <div class="field narrow" key={name}>
          <label for={`limit-${name}`}>{words}</label>
          <input id={`limit-${name}`} name={name} type="number" min={0} step="any" defaultValue={limits[name] ?? ""} />
        </div>
      ))}
    </fieldset>
  );
}

function limitsIn(form: FormData): Record<string, number> {
  const given = LIMITS.map(([name]) => [name, String(form.get(name) ?? "")] as const).filter(([, text]) => text !== "");
  return Object.fromEntries(given.map(([name, text]) => [name, Number(text)]));
}

interface NewKeyProps {
  readonly onClose: () => void;
  readonly onMade: () => void;
}

function NewKey({ onClose, onMade }: NewKeyProps) {
  const { make, isBusy } = useChange();
  const [made, setMade] = useState<NewKeyAnswer>();
  const create = async (event: SubmitEvent) => {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement)) return;
    const form = new FormData(event.currentTarget);
    const answer = await make((api) =>
      api.send<NewKeyAnswer>("POST", "/keys", { name: String(form.get("name")), limits: limitsIn(form) }),
    );
    if (answer === undefined) return;
    setMade(answer);
    onMade();
  };
  if (made !== undefined) {
    return (
      <Dialog title="Keep this key" onClose={onClose}>
        <p>It is shown this once. Clients send it where they would send the vendor's key.</p>
        <Copyable label="the key" text={made.key} />
        <div class="row end">
          <button type="button" class="main" onClick={onClose}>
            I have it
          </button>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title="New key" onClose={onClose}>
      <form class="form" onSubmit={(event) => void create(event)}>
        <div class="field">
          <label for="key-name">Name</label>
          <input id="key-name" name="name" required maxLength={200} autocomplete="off" />
        </div>
        <LimitFields limits={{}} />
        <div class="row end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="main" disabled={isBusy}>
            Make the key
          </button>
        </div>
      </form>
    </Dialog>
  );
}

interface ChangeKeyProps {
  readonly shown: KeyAnswer;
  readonly onClose: () => void;
  readonly onChanged: () => void;
}

function ChangeKey({ shown, onClose, onChanged }: ChangeKeyProps) {
  const { make, isBusy } = useChange();
  const save = async (event: SubmitEvent) => {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement)) return;
    const form = new FormData(event.currentTarget);
    const body = { name: String(form.get("name")), limits: limitsIn(form) };
    const answer = await make((api) => api.send("PATCH", `/keys/${shown.id}`, body), "The key was changed.");
    if (answer === undefined) return;
    onChanged();
    onClose();
  };
  return (
    <Dialog title={`Change ${shown.name}`} onClose={onClose}>
      <form class="form" onSubmit={(event) => void save(event)}>
        <div class="field">
          <label for="key-name">Name</label>
          <input id="key-name" name="name" required maxLength={200} defaultValue={shown.name} autocomplete="off" />
        </div>
        <LimitFields limits={shown.limits} />
        <div class="row end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="main" disabled={isBusy}>
            Save
          </button>
        </div>
      </form>
    </Dialog>
  );
}

interface RevokeKeyProps {
  readonly shown: KeyAnswer;
  readonly onClose: () => void;
  readonly onRevoked: () => void;
}

function RevokeKey({ shown, onClose, onRevoked }: RevokeKeyProps) {
  const { make } = useChange();
  const revoke = async () => {
    await make((api) => api.send("DELETE", `/keys/${shown.id}`), "The key was revoked.");
    onRevoked();
    onClose();
  };
  return (
    <Confirm title={`Revoke ${shown.name}?`} action="Revoke it" onConfirm={() => void revoke()} onClose={onClose}>
      Clients that show it are refused within a second. This cannot be undone; make a new key instead.
    </Confirm>
  );
}
