import type { HealthAnswer } from "@longhaul/admin/api";
import { Copyable } from "../../components/controls.tsx";
import { Card, HelpText, Page, withCommand } from "../../components/page.tsx";
import { hrefTo } from "../../components/router.ts";
import { useQuery } from "../../gateway/gateway.tsx";
import { strings } from "../../strings/overview.ts";
import clients from "./clients.json" with { type: "json" };

const { firstRun: texts } = strings;

export function FirstRun() {
  const health = useQuery<HealthAnswer>("/health");
  const url = clientUrl(location.origin, health.value?.clientPort);
  return (
    <Page title={texts.title} lead={texts.lead}>
      <div class="grid two">
        <Card title={texts.setup} detail={texts.setupDetail}>
          <p>{texts.setupHelp}</p>
          <Copyable label={texts.setupCopy} text={withCommand(texts.setupCommand)} />
        </Card>
        <Card title={texts.demo} detail={texts.demoDetail}>
          <p>
            <HelpText of={texts.demoHelp} />
          </p>
          <Copyable label={texts.demoCopy} text={withCommand(texts.demoCommand)} />
        </Card>
      </div>
      <p>
        <HelpText of={texts.connect} /> <a href={hrefTo("keys")}>{texts.createKey}</a>
      </p>
      <div class="grid two">
        {clientLines(url).map(({ name, lines, where }) => (
          <Card key={name} title={name} detail={where}>
            <Copyable
              label={texts.clientCopy(name)}
              text={lines.replaceAll(/`([^`]+)`/g, (_, command) => withCommand(command))}
            />
          </Card>
        ))}
      </div>
    </Page>
  );
}

/** Returns the shortest way to point each client at a gateway. `npm run schema` writes the list from the clients of `longhaul connect`. */
export function clientLines(url: string): typeof clients {
  return clients.map((client) => ({ ...client, lines: client.lines.replaceAll("{url}", url) }));
}

/** Returns the address of the gateway for clients. The dashboard may be served on a port of its own. */
export function clientUrl(origin: string, clientPort: number | undefined): string {
  if (clientPort === undefined) return origin;
  const url = new URL(origin);
  url.port = String(clientPort);
  return url.origin;
}
