import type { SettingSpecsAnswer } from "@longhaul/settings";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { useAnswer } from "../../gateway/gateway.tsx";
import { Show } from "../../parts/answered.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Page } from "../../parts/page.tsx";
import { type Section, SectionEditor } from "./section-editor.tsx";

const NEWS = ["settings"];

interface SectionsPageProps<T, S extends Section> {
  readonly kind: "upstreams" | "profiles";
  readonly title: string;
  readonly lead: string;
  /** What one of them is called. */
  readonly what: string;
  readonly sectionsIn: (answer: T) => readonly S[];
  /** What stands where there is none. */
  readonly empty: ComponentChildren;
  readonly card: (section: S, onChange: () => void) => ComponentChildren;
  /** What else the page shows. */
  readonly children?: ComponentChildren;
}

/** A page of upstreams or profiles: each on a card, and all can be made, changed and removed. */
export function SectionsPage<T, S extends Section>(props: SectionsPageProps<T, S>) {
  const { kind, title, lead, what, sectionsIn, empty, card, children } = props;
  const answer = useAnswer<T>(`/${kind}`, NEWS);
  const specs = useAnswer<SettingSpecsAnswer>("/settings/specs");
  const [edited, setEdited] = useState<S | "new">();
  return (
    <Page
      title={title}
      lead={lead}
      actions={
        <button type="button" class="main" onClick={() => setEdited("new")}>
          <Icon name="plus" />
          New {what}
        </button>
      }
    >
      <Show answer={answer}>
        {(value) => {
          const sections = sectionsIn(value);
          return sections.length === 0 ? (
            empty
          ) : (
            <div class="grid two">{sections.map((section) => card(section, () => setEdited(section)))}</div>
          );
        }}
      </Show>
      {children}
      {edited === undefined || specs.value === undefined ? null : (
        <SectionEditor
          kind={kind}
          what={what}
          specs={specs.value}
          {...(edited === "new" ? {} : { shown: edited })}
          onClose={() => setEdited(undefined)}
          onChanged={answer.reload}
        />
      )}
    </Page>
  );
}
