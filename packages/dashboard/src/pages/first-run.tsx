import type { HealthAnswer } from "@longhaul/settings";
import { clientLines, clientUrl } from "../clients.ts";
import { useAnswer } from "../gateway.tsx";
import { Copyable } from "../parts/copy.tsx";
import { Card, Page } from "../parts/page.tsx";
import { hrefTo } from "../router.ts";

/** For a gateway that nobody has used yet. */
export function FirstRun() {
  const health = useAnswer<HealthAnswer>("/health");
  const url = clientUrl(location.origin, health.value?.clientPort);
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
      <p>
        <code>longhaul connect</code> prints these lines, too, and writes them with <code>--write</code>. Where this
        gateway asks for keys, <a href={hrefTo("keys")}>make one</a> and put it in place of the word{" "}
        <code>longhaul</code>.
      </p>
      <div class="grid two">
        {clientLines(url).map(({ name, lines, where }) => (
          <Card key={name} title={name} detail={where}>
            <Copyable label={`the lines for ${name}`} text={lines} />
          </Card>
        ))}
      </div>
    </Page>
  );
}
