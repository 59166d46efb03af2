import type { ExamplesAnswer } from "@longhaul/settings";
import { useState } from "preact/hooks";
import { useAnswer } from "../gateway.tsx";
import { Show } from "../parts/answered.tsx";
import { FileChoice, useFileText } from "../parts/files.tsx";
import { Page } from "../parts/page.tsx";
import { Trial, type Tried } from "./playground-trial.tsx";

/** A conversation of one's own, and what each strategy would do to it. Nothing is kept. */
export function Playground() {
  const [tried, setTried] = useState<Tried>();
  return (
    <Page
      title="Playground"
      lead="Drop a conversation and see what it is made of, and what each strategy would do to it. Nothing of it is kept, and no model is asked."
    >
      <Choice onChoose={setTried} />
      {tried === undefined ? null : <Trial key={tried.name} tried={tried} />}
    </Page>
  );
}

function Choice({ onChoose }: { readonly onChoose: (tried: Tried) => void }) {
  const examples = useAnswer<ExamplesAnswer>("/examples");
  const [isOver, setOver] = useState(false);
  const read = useFileText((text, name) => onChoose({ name, conversation: { text } }));
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    read(event.dataTransfer?.files[0]);
  };
  const over = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a file can also be chosen by the button
    <div class="drop" data-over={isOver} onDragOver={over} onDragLeave={() => setOver(false)} onDrop={drop}>
      <p>
        Drop a session log of Claude Code, Codex, pi, Roo, Cline or the Gemini CLI here, or a request of any of the
        APIs.
      </p>
      <div class="row">
        <FileChoice
          label="Choose a file"
          accept=".json,.jsonl"
          onText={(text, name) => onChoose({ name, conversation: { text } })}
        />
        <Show answer={examples}>
          {({ examples: all }) => (
            <>
              {all.map(({ id, name, messages }) => (
                <button key={id} type="button" onClick={() => onChoose({ name, conversation: { example: id } })}>
                  {name} <span class="soft small">{messages} messages</span>
                </button>
              ))}
            </>
          )}
        </Show>
      </div>
    </div>
  );
}
