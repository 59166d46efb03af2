import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Icon } from "../../components/icon.tsx";
import type { FieldFault } from "../../forms/faults.ts";
import { type JsonRecord, type Path, type Schema, setAt, stage, variantsOf } from "../../forms/schema.ts";
import { StagedForm } from "../../forms/schema-form.tsx";
import { recordOf } from "../../forms/scope.tsx";
import { toLabel } from "../../strings/format.ts";
import { duplicatePass, indexAfterMove, makePass, movePass, type Pass, passesOf, passName } from "./passes.ts";
import { type PassActions, SmartPass } from "./smart-pass.tsx";

interface SmartEditorProps {
  readonly schema: Schema;
  readonly config: JsonRecord;
  readonly faults: readonly FieldFault[];
  readonly onChange: (config: JsonRecord) => void;
}

/** The settings of `smart`: its passes in their order, and what holds for all of them. */
export function SmartEditor({ schema, config, faults, onChange }: SmartEditorProps) {
  const passes = passesOf(config, schema);
  const editing = usePassEditing(passes, (next) => onChange({ ...config, passes: next }));
  const itemSchema = schema.properties?.passes?.items ?? {};
  const { hidden: others } = stage(schema, ["passes"]);
  // What a schema fills in is written out as soon as a part of it is changed.
  const change = (path: Path, value: Parameters<typeof setAt>[2]) =>
    onChange(recordOf(setAt({ ...config, passes }, path, value)));
  return (
    <div class="stack">
      <div class="stack tight">
        <h3 id="passes">Passes</h3>
        <p class="soft small">
          They run in this order until the target is reached. Drag a pass by its handle, or focus the handle and press
          the up and down keys.
        </p>
        <ol class="passes" aria-labelledby="passes" ref={editing.list}>
          {passes.map((pass, at) => (
            <SmartPass
              key={at}
              pass={pass}
              at={at}
              schema={itemSchema}
              faults={faults}
              isOpen={editing.open === at}
              actions={editing.actions}
              onChange={change}
            />
          ))}
        </ol>
        <Removed editing={editing} />
        <AddPass schema={itemSchema} onAdd={(mode) => editing.actions.add(makePass(mode, itemSchema, passes))} />
        <p class="hidden-visually" role="status" aria-live="assertive">
          {editing.said}
        </p>
      </div>
      <StagedForm
        schema={others}
        first={["preserveUserMessages"]}
        value={config}
        faults={faults}
        onChange={(path, value) => onChange(recordOf(setAt(config, path, value)))}
      />
    </div>
  );
}

interface PassEditing {
  readonly list: { readonly current: HTMLOListElement | null };
  readonly open: number | undefined;
  readonly removed: Taken | undefined;
  /** What was done last, for those who do not see it. */
  readonly said: string;
  readonly actions: PassActions;
  undo(): void;
}

interface Taken {
  readonly pass: Pass;
  readonly at: number;
}

function usePassEditing(passes: readonly Pass[], onPasses: (passes: readonly Pass[]) => void): PassEditing {
  const list = useRef<HTMLOListElement>(null);
  const [open, setOpen] = useState<number>();
  const [removed, setRemoved] = useState<Taken>();
  const [said, setSaid] = useState("");
  const focus = useFocusAfter(list);
  const change = (next: readonly Pass[], words: string) => {
    onPasses(next);
    setSaid(words);
  };
  const insert = (pass: Pass, at: number, words: string) => {
    change(passes.toSpliced(at, 0, pass), words);
    setOpen(at);
    focus(at, "name");
  };
  return {
    list,
    open,
    removed,
    said,
    actions: {
      move: (from, to) => {
        const next = movePass(passes, from, to);
        if (next === passes) return setSaid(`${passName(passes[from])} stays at place ${from + 1}.`);
        change(next, `${passName(passes[from])} is now at place ${to + 1} of ${passes.length}.`);
        setOpen((before) => (before === undefined ? undefined : indexAfterMove(before, from, to)));
        focus(to, focusedPart(list.current) ?? "handle");
      },
      duplicate: (at) => {
        change(duplicatePass(passes, at), `${passName(passes[at])} stands there twice now.`);
        setOpen(at + 1);
        focus(at + 1, "name");
      },
      remove: (at) => {
        const pass = passes[at];
        if (pass === undefined) return;
        change(passes.toSpliced(at, 1), `${passName(pass)} was removed. It can be put back.`);
        setRemoved({ pass, at });
        setOpen(undefined);
      },
      add: (pass) => insert(pass, passes.length, `${passName(pass)} was added at the end.`),
      toggle: (at) => setOpen((before) => (before === at ? undefined : at)),
    },
    undo: () => {
      if (removed === undefined) return;
      insert(removed.pass, removed.at, `${passName(removed.pass)} is back at place ${removed.at + 1}.`);
      setRemoved(undefined);
    },
  };
}

/** Puts the focus on a part of a pass once the list is drawn anew; the pass may stand at another place by then. */
function useFocusAfter(list: { readonly current: HTMLElement | null }): (at: number, part: string) => void {
  const wish = useRef<string>(undefined);
  useLayoutEffect(() => {
    if (wish.current === undefined) return;
    list.current?.querySelector<HTMLElement>(wish.current)?.focus();
    wish.current = undefined;
  });
  return (at, part) => {
    wish.current = `:scope > li:nth-child(${at + 1}) [data-part-of-pass="${part}"]`;
  };
}

function focusedPart(list: HTMLElement | null): string | undefined {
  const focused = document.activeElement;
  return focused instanceof HTMLElement && list?.contains(focused) ? focused.dataset.partOfPass : undefined;
}

function Removed({ editing: { removed, undo } }: { readonly editing: PassEditing }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), [removed]);
  if (removed === undefined) return null;
  return (
    <div class="notice">
      <span>{passName(removed.pass)} was removed.</span>
      <button type="button" ref={button} onClick={undo}>
        Put it back
      </button>
    </div>
  );
}

interface AddPassProps {
  readonly schema: Schema;
  readonly onAdd: (mode: string) => void;
}

function AddPass({ schema, onAdd }: AddPassProps) {
  return (
    <div class="row">
      {variantsOf(schema).map(({ name, value, schema: shape }) => (
        <button key={value} type="button" title={shape.properties?.[name]?.description} onClick={() => onAdd(value)}>
          <Icon name="plus" />
          {toLabel(value)} pass
        </button>
      ))}
    </div>
  );
}
