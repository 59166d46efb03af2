import type { IncomingMessage, ServerResponse } from "node:http";
import { once } from "@longhaul/fit";
import { flatHeaders } from "@longhaul/upstream";
import type { AdminHost } from "./host/admin-host.ts";
import { openFiles } from "./http/static-files.ts";
import { openPreviews } from "./previews/previews.ts";
import { isSignedIn } from "./sign-in/is-signed-in.ts";
import { makeSignIn } from "./sign-in/sign-in.ts";

/** The operator's side of a gateway: the admin API, and the pages that use it. */
export interface Admin {
  /** Begins to answer a request for either, and says whether it is one. */
  answer(request: IncomingMessage, response: ServerResponse, path: string): boolean;
  /** Whether a request shows that it comes from the operator. */
  isAdmin(request: IncomingMessage): Promise<boolean>;
  /** A token that lets somebody sign in once, within the hour. */
  mintToken(): Promise<string>;
  close(): Promise<void>;
}

/** Opens the admin API over a running gateway, with the pages of a folder. The API is loaded by the first who asks it for something. */
export function openAdmin(host: AdminHost, dashboardFolder: string | undefined): Admin {
  const adminToken = () => host.snapshots.current().config.server.adminToken;
  const signIn = makeSignIn({ signIns: host.store.signIns, adminToken, nowMs: host.nowMs });
  const previews = openPreviews();
  const openApi = once(async () => (await import("./http/app.ts")).makeApiListener({ ...host, signIn, previews }));
  const sendFile = openFiles(dashboardFolder);
  return {
    answer: (request, response, path) => {
      if (path !== "/api" && !path.startsWith("/api/")) return sendFile(request, response, path);
      void openApi().then(
        (answerApi) => answerApi(request, response),
        (error: unknown) => {
          host.snapshots.current().log.bug(error, "admin");
          response.writeHead(500).end();
        },
      );
      return true;
    },
    isAdmin: (request) => {
      const address = request.socket.remoteAddress ?? "";
      return isSignedIn({ headers: flatHeaders(request.headers), address }, signIn);
    },
    mintToken: () => signIn.mintToken(),
    close: () => previews.close(),
  };
}
