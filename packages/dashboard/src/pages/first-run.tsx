import { clientLines } from "../clients.ts";
import { Copyable } from "../parts/copy.tsx";
import { Card, Page } from "../parts/page.tsx";

/** For a gateway that nobody has used yet. */
export function FirstRun() {
  return (
    <Page
      title="Nothing has come through yet"
      lead="Point a client at this gateway and its sessions show up here by themselves, with what was sent, what was left out, and what that saved."
    >
      <Card title="See it work first" detail="needs no account">
        <p>
          The demo plays a long session of an agent against the built-in simulator. It crosses its window several times
          while you watch it in the terminal, and in a dashboard of its own, whose address it prints.
        </p>
        <Copyable label="the demo's command" text="longhaul demo" />
      </Card>
      <div class="grid two">
        {clientLines(location.origin).map(({ name, lines, where }) => (
          <Card key={name} title={name} detail={where}>
            <Copyable label={`the lines for ${name}`} text={lines} />
          </Card>
        ))}
      </div>
    </Page>
  );
}
