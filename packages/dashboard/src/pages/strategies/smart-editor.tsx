import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Button } from "../../components/button.tsx";
import type { FieldFault } from "../../forms/faults.ts";
import { type JsonRecord, type Path, type Schema, setAt, stage, variantsOf } from "../../forms/schema.ts";
import { StagedForm } from "../../forms/schema-form.tsx";
import { recordOf } from "../../forms/scope.tsx";
import { toLabel } from "../../strings/format.ts";
import { strings } from "../../strings/strategies.ts";
import { duplicatePass, indexAfterMove, makePass, movePass, type Pass, passesOf, passName } from "./passes.ts";
import { type PassActions, SmartPass } from "./smart-pass.tsx";

const { passes: texts } = strings;

interface SmartEditorProps {
  readonly schema: Schema;
  readonly config: JsonRecord;
  readonly faults: readonly FieldFault[];
  readonly onChange: (config: JsonRecord) => void;
}

export function SmartEditor({ schema, config, faults, onChange }: SmartEditorProps) {
  const passes = passesOf(config, schema);
  const editing = usePassEditing(passes, (next) => onChange({ ...config, passes: next }));
  const itemSchema = schema.properties?.passes?.items ?? {};
  const { hidden: others } = stage(schema, ["passes"]);
  // Default passes are copied into the configuration when one of them is changed.
  const change = (path: Path, value: Parameters<typeof setAt>[2]) =>
    onChange(recordOf(setAt({ ...config, passes }, path, value)));
  return (
    <div class="stack">
      <div class="stack tight">
        <h3 id="passes">{texts.title}</h3>
        <p class="soft small">{texts.help}</p>
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
        <UndoRemoval editing={editing} />
        <AddPass schema={itemSchema} onAdd={(mode) => editing.actions.add(makePass(mode, itemSchema, passes))} />
        <p class="visually-hidden" role="status" aria-live="assertive">
          {editing.announcement}
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

function usePassEditing(passes: readonly Pass[], onPasses: (passes: readonly Pass[]) => void) {
  const list = useRef<HTMLOListElement>(null);
  const [open, setOpen] = useState<number>();
  const [removed, setRemoved] = useState<{ readonly pass: Pass; readonly at: number }>();
  const [announcement, setAnnouncement] = useState("");
  const focus = useFocusAfter(list);
  const { announce } = texts;
  const change = (next: readonly Pass[], message: string) => {
    onPasses(next);
    setAnnouncement(message);
  };
  const openAt = (at: number) => {
    setOpen(at);
    focus(at, "name");
  };
  const insert = (pass: Pass, at: number, message: string) => {
    change(passes.toSpliced(at, 0, pass), message);
    openAt(at);
  };
  const actions: PassActions = {
    move: (from, to) => {
      const name = passName(passes[from]);
      const next = movePass(passes, from, to);
      if (next === passes) return setAnnouncement(announce.notMoved(name, from + 1));
      change(next, announce.moved(name, to + 1, passes.length));
      setOpen((before) => (before === undefined ? undefined : indexAfterMove(before, from, to)));
      focus(to, focusedPart(list.current) ?? "handle");
    },
    duplicate: (at) => {
      change(duplicatePass(passes, at), announce.duplicated(passName(passes[at])));
      openAt(at + 1);
    },
    remove: (at) => {
      const pass = passes[at];
      if (pass === undefined) return;
      change(passes.toSpliced(at, 1), announce.removed(passName(pass)));
      setRemoved({ pass, at });
      setOpen(undefined);
    },
    add: (pass) => insert(pass, passes.length, announce.added(passName(pass))),
    toggle: (at) => setOpen((before) => (before === at ? undefined : at)),
  };
  const undo = () => {
    if (removed === undefined) return;
    insert(removed.pass, removed.at, announce.restored(passName(removed.pass), removed.at + 1));
    setRemoved(undefined);
  };
  return { list, open, removed, announcement, actions, undo };
}

/** Returns a function that focuses a part of a pass after the next render, when the pass may have another position. */
function useFocusAfter(list: { readonly current: HTMLElement | null }): (at: number, part: string) => void {
  const selector = useRef<string>(undefined);
  useLayoutEffect(() => {
    if (selector.current === undefined) return;
    list.current?.querySelector<HTMLElement>(selector.current)?.focus();
    selector.current = undefined;
  });
  return (at, part) => {
    selector.current = `:scope > li:nth-child(${at + 1}) [data-part-of-pass="${part}"]`;
  };
}

function focusedPart(list: HTMLElement | null): string | undefined {
  const focused = document.activeElement;
  return focused instanceof HTMLElement && list?.contains(focused) ? focused.dataset.partOfPass : undefined;
}

function UndoRemoval({ editing: { removed, undo } }: { readonly editing: ReturnType<typeof usePassEditing> }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), [removed]);
  if (removed === undefined) return null;
  return (
    <div class="notice">
      <span>{texts.removed(passName(removed.pass))}</span>
      <button type="button" ref={button} onClick={undo}>
        {texts.undo}
      </button>
    </div>
  );
}

function AddPass({ schema, onAdd }: { readonly schema: Schema; readonly onAdd: (mode: string) => void }) {
  return (
    <div class="row">
      {variantsOf(schema).map(({ name, value, schema: variant }) => (
        <Button
          key={value}
          label={texts.add(toLabel(value).toLowerCase())}
          icon="plus"
          title={variant.properties?.[name]?.description}
          onClick={() => onAdd(value)}
        />
      ))}
    </div>
  );
}
