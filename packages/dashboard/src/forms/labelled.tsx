import type { ComponentChildren } from "preact";
import { inWords } from "../format.ts";
import type { FieldFault } from "./faults.ts";
import type { Json, Path, Schema } from "./schema.ts";

/** One field of a form, or several of them as a group. */
export interface FieldProps {
  readonly schema: Schema;
  /** What it is called; nothing for the outermost group. */
  readonly name: string;
  readonly value: Json | undefined;
  readonly path: Path;
  readonly faults: readonly FieldFault[];
  readonly onChange: (path: Path, value: Json | undefined) => void;
}

interface LabelledProps {
  /** The input's. */
  readonly id: string;
  readonly field: FieldProps;
  /** What else is wrong with it. */
  readonly fault?: string;
  readonly look?: "narrow";
  readonly children: ComponentChildren;
}

/** An input under its name, over what is wrong with it and its help text. */
export function Labelled({ id, field, fault, look, children }: LabelledProps) {
  return (
    <div class={`field ${look ?? ""}`}>
      <label for={id}>{inWords(field.name)}</label>
      {children}
      <Help id={id} field={field} fault={fault} />
    </div>
  );
}

interface HelpProps extends Pick<LabelledProps, "id" | "field"> {
  readonly fault?: string | undefined;
}

/** What is wrong with an input, and what it is for. */
export function Help({ id, field: { schema, path, faults }, fault = faultAt(faults, path) }: HelpProps) {
  const { description = "" } = schema;
  return (
    <div id={helpOf(id)}>
      {fault === undefined ? null : <p class="fault">{fault}</p>}
      {description === "" ? null : (
        <p class="help">
          <HelpWords of={description} />
        </p>
      )}
    </div>
  );
}

/** What ties an input to its help text, and says whether something is wrong with it. */
export function described(id: string, { faults, path }: Pick<FieldProps, "faults" | "path">) {
  return { id, "aria-describedby": helpOf(id), "aria-invalid": faultAt(faults, path) !== undefined };
}

function helpOf(id: string): string {
  return `${id}-help`;
}

function faultAt(faults: readonly FieldFault[], path: Path): string | undefined {
  return faults.find((fault) => fault.path.join("/") === path.join("/"))?.message;
}

/** Sentences of the settings' help, where names and values stand between backticks. */
export function HelpWords({ of }: { readonly of: string }) {
  return <>{of.split("`").map((piece, index) => (index % 2 === 1 ? <code key={index}>{piece}</code> : piece))}</>;
}
