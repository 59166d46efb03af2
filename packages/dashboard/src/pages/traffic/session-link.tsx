import type { SessionAnswer } from "@longhaul/admin/api";
import { hrefToSession } from "../../components/router.ts";

/** Links to a session by its title, or by its name if it has none. */
export function SessionLink({ session }: { readonly session: Pick<SessionAnswer, "tenant" | "session" | "title"> }) {
  const { title } = session;
  return (
    <a
      href={hrefToSession(session)}
      class={title === "" ? "session-name" : "session-title"}
      title={title === "" ? session.session : `${title} (${session.session})`}
    >
      {title === "" ? session.session : title}
    </a>
  );
}

export function clientName({ client, clientVersion }: Pick<SessionAnswer, "client" | "clientVersion">): string {
  return `${client} ${clientVersion}`.trim();
}
