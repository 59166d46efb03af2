import { combine } from "@atlaskit/pragmatic-drag-and-drop/combine";
import { draggable, dropTargetForElements } from "@atlaskit/pragmatic-drag-and-drop/element/adapter";
import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Button } from "../../components/button.tsx";
import { Icon, type IconName } from "../../components/icon.tsx";
import type { FieldFault } from "../../forms/faults.ts";
import type { FieldProps } from "../../forms/fields.tsx";
import { type Schema, stage, variantOf } from "../../forms/schema.ts";
import { PropertyField, VariantChoice } from "../../forms/schema-form.tsx";
import { strings } from "../../strings/strategies.ts";
import { badgesOf, dropIndex, type Pass, passName } from "./passes.ts";

const { passes: texts } = strings;

export interface PassActions {
  move(from: number, to: number): void;
  duplicate(at: number): void;
  remove(at: number): void;
  add(pass: Pass): void;
  toggle(at: number): void;
}

interface SmartPassProps {
  readonly pass: Pass;
  readonly at: number;
  readonly schema: Schema;
  readonly faults: readonly FieldFault[];
  readonly isOpen: boolean;
  readonly actions: PassActions;
  readonly onChange: FieldProps["onChange"];
}

export function SmartPass({ pass, at, schema, faults, isOpen, actions, onChange }: SmartPassProps) {
  const item = useRef<HTMLLIElement>(null);
  const head = useRef<HTMLDivElement>(null);
  const handle = useRef<HTMLButtonElement>(null);
  const drag = usePassDrag({ item, head, handle, at, onMove: actions.move });
  const faultCount = faults.filter(({ path }) => path[0] === "passes" && path[1] === at).length;
  const name = passName(pass);
  const onKey = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    actions.move(at, at + step);
  };
  return (
    <li ref={item} class="pass" data-drop={drag.edge ?? ""} data-dragged={drag.isDragged}>
      <div class="pass-head" ref={head}>
        <button
          type="button"
          class="quiet handle"
          ref={handle}
          data-part-of-pass="handle"
          aria-label={texts.handle(name, at + 1)}
          onKeyDown={onKey}
        >
          <Icon name="grip" />
        </button>
        <Button
          label={name}
          class="quiet pass-name"
          data-part-of-pass="name"
          aria-expanded={isOpen}
          onClick={() => actions.toggle(at)}
        />
        <Badges pass={pass} faultCount={faultCount} />
        <Actions name={name} at={at} actions={actions} />
      </div>
      {isOpen ? <PassForm pass={pass} at={at} schema={schema} faults={faults} onChange={onChange} /> : null}
    </li>
  );
}

const STEPS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 };

function Badges({ pass, faultCount }: { readonly pass: Pass; readonly faultCount: number }) {
  const { mode, condition, selection, operations } = badgesOf(pass);
  return (
    <span class="row badges">
      <span class="badge accent">{mode}</span>
      {operations === "" ? null : <span class="badge">{operations}</span>}
      {selection === "" ? null : <span class="badge">{selection}</span>}
      <span class={condition === texts.badges.always ? "badge" : "badge warn"}>{condition}</span>
      {faultCount === 0 ? null : <span class="badge bad">{texts.errors(faultCount)}</span>}
    </span>
  );
}

function Actions({ name, at, actions }: { readonly name: string; readonly at: number; readonly actions: PassActions }) {
  const buttons: readonly (readonly [part: string, icon: IconName, label: string, act: () => void])[] = [
    ["up", "up", texts.moveUp(name), () => actions.move(at, at - 1)],
    ["down", "down", texts.moveDown(name), () => actions.move(at, at + 1)],
    ["duplicate", "copy", texts.duplicate(name), () => actions.duplicate(at)],
    ["remove", "trash", texts.remove(name), () => actions.remove(at)],
  ];
  return (
    <span class="pass-actions">
      {buttons.map(([part, icon, label, act]) => (
        <button
          key={part}
          type="button"
          class="quiet"
          data-part-of-pass={part}
          aria-label={label}
          title={label}
          onClick={act}
        >
          <Icon name={icon} />
        </button>
      ))}
    </span>
  );
}

type PassFormProps = Pick<SmartPassProps, "pass" | "at" | "schema" | "faults" | "onChange">;

/** Fields that describe a pass and do not change what it does. */
const DETAILS = ["id", "description"];

function PassForm({ pass, at, schema, faults, onChange }: PassFormProps) {
  const variant = variantOf(schema, pass);
  if (variant === undefined) return null;
  const group = { schema, name: "", value: pass, path: ["passes", at], faults, onChange };
  const { [variant.name]: _tag, name, ...fields } = variant.schema.properties ?? {};
  const { shown: details, hidden: others } = stage({ properties: fields }, DETAILS);
  const field = ([inner, innerSchema]: readonly [string, Schema]) => (
    <PropertyField key={inner} group={group} name={inner} schema={innerSchema} />
  );
  const ordered = Object.entries(others.properties ?? {}).toSorted(([a], [b]) => rankOf(a) - rankOf(b));
  return (
    <fieldset class="form pass-form">
      <legend class="visually-hidden">{passName(pass)}</legend>
      {name === undefined ? null : field(["name", name])}
      <VariantChoice {...group} />
      {ordered.map(field)}
      <details class="more">
        <summary>{texts.details}</summary>
        <div class="form">{Object.entries(details.properties ?? {}).map(field)}</div>
      </details>
    </fieldset>
  );
}

/** Orders the fields: which messages, what happens to them, and when. */
function rankOf(name: string): number {
  if (name === "selection") return 0;
  return name === "execution" ? 2 : 1;
}

interface PassDragOptions {
  readonly item: RefObject<HTMLElement | null>;
  readonly head: RefObject<HTMLElement | null>;
  readonly handle: RefObject<HTMLElement | null>;
  readonly at: number;
  readonly onMove: (from: number, to: number) => void;
}

/** Makes a pass draggable. `edge` is the edge of this pass at which a pass dragged over it would be dropped. */
function usePassDrag({ item, head, handle, at, onMove }: PassDragOptions) {
  const [isDragged, setDragged] = useState(false);
  const [edge, setEdge] = useState<"above" | "below">();
  const move = useRef(onMove);
  move.current = onMove;
  useEffect(() => {
    if (item.current === null || head.current === null || handle.current === null) return undefined;
    const element = item.current;
    return combine(
      draggable({
        element: head.current,
        dragHandle: handle.current,
        getInitialData: () => ({ passAt: at }),
        onDragStart: () => setDragged(true),
        onDrop: () => setDragged(false),
      }),
      dropTargetForElements({
        element,
        canDrop: ({ source }) => typeof source.data.passAt === "number",
        getData: ({ input }) => ({ isBelow: isBelowMiddle(element, input.clientY) }),
        onDrag: ({ self }) => setEdge(self.data.isBelow === true ? "below" : "above"),
        onDragLeave: () => setEdge(undefined),
        onDrop: ({ source: { data }, self }) => {
          setEdge(undefined);
          if (typeof data.passAt !== "number") return;
          const to = dropIndex(data.passAt, at, self.data.isBelow === true);
          if (to !== data.passAt) move.current(data.passAt, to);
        },
      }),
    );
  }, [at]);
  return { isDragged, edge };
}

function isBelowMiddle(element: HTMLElement, y: number): boolean {
  const { top, height } = element.getBoundingClientRect();
  return y > top + height / 2;
}
