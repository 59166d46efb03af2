import type { HistoryAnswer } from "@longhaul/settings";
import { spellAgo } from "../../format.ts";
import { useChange } from "../../gateway/change.tsx";
import { useAnswer } from "../../gateway/gateway.tsx";
import { Empty, Show } from "../../parts/answered.tsx";
import { Card } from "../../parts/page.tsx";
import { Table } from "../../parts/table.tsx";

const NEWS = ["settings"];

/** What was changed lately, each to be undone. */
export function SettingHistory({ onUndone }: { readonly onUndone: () => void }) {
  const answer = useAnswer<HistoryAnswer>("/settings/history?limit=20", NEWS);
  const { make } = useChange();
  const undo = async (revision: number, path: string) => {
    await make((api) => api.send("POST", "/settings/undo", { revision, path }), `${path} is as it was before.`);
    onUndone();
  };
  return (
    <Card title="History" detail="what was changed here">
      <Show answer={answer}>
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
          );
        }}
      </Show>
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
