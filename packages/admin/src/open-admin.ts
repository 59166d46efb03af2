import type { IncomingMessage, ServerResponse } from "node:http";
import { once } from "@longhaul/fit";
import { flatHeaders } from "@longhaul/upstream";
import type { AdminHost } from "./host/admin-host.ts";
import { isSignedIn, makeSignIn } from "./host/sign-in.ts";
import { openFiles } from "./http/static-files.ts";
import { openPreviews } from "./previews/preview-thread.ts";

/** The admin API and the dashboard of a gateway. */
export interface Admin {
  /** Starts to answer a request and returns true, or returns false if the path belongs to neither. */
  answer(request: IncomingMessage, response: ServerResponse, path: string): boolean;
  /** Returns whether a request carries a valid cookie or the admin token. */
  isAdmin(request: IncomingMessage): Promise<boolean>;
  /** Creates a one-time sign-in token, valid for one hour. */
  mintToken(): Promise<string>;
  close(): Promise<void>;
}

/** Opens the admin API and the dashboard in a folder. The API's code is loaded on its first request, which keeps the start fast. */
export function openAdmin(host: AdminHost, dashboardFolder: string | undefined): Admin {
  const adminToken = () => host.snapshots.current().config.server.adminToken;
  const signIn = makeSignIn({ signIns: host.store.signIns, adminToken, nowMs: host.nowMs });
  const previews = openPreviews();
  const openApi = once(async () => (await import("./http/app.ts")).makeApiListener({ ...host, signIn, previews }));
  const sendFile = openFiles(dashboardFolder, host.command);
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
