import type { IncomingMessage, ServerResponse } from "node:http";
import { once } from "@longhaul/fit";
import { flatHeaders } from "@longhaul/upstream";
import type { AdminContext } from "./context.ts";
import { isSignedIn } from "./signed-in.ts";
import { openFiles } from "./static-files.ts";

/** The operator's side of a gateway: the admin API, and the pages that use it. */
export interface Admin {
  /** Begins to answer a request for either, and says whether it is one. */
  answer(request: IncomingMessage, response: ServerResponse, path: string): boolean;
  /** Whether a request shows that it comes from the operator. */
  isAdmin(request: IncomingMessage): Promise<boolean>;
  /** A token that lets somebody sign in once, within the hour. */
  mintToken(): Promise<string>;
}

/** Opens the admin API over a running gateway, with the pages of a folder. The API is loaded by the first who asks it for something. */
export function openAdmin(context: AdminContext, dashboardFolder: string | undefined): Admin {
  const openApi = once(async () => (await import("./answer-api.ts")).makeApiListener(context));
  const sendFile = openFiles(dashboardFolder);
  return {
    answer: (request, response, path) => {
      if (path !== "/api" && !path.startsWith("/api/")) return sendFile(request, response, path);
      void openApi().then(
        (answerApi) => answerApi(request, response),
        (error: unknown) => {
          context.snapshots.current().log.bug(error, "admin");
          response.writeHead(500).end();
        },
      );
      return true;
    },
    isAdmin: (request) => {
      const address = request.socket.remoteAddress ?? "";
      return isSignedIn({ headers: flatHeaders(request.headers), address }, context);
    },
    mintToken: () => context.signIn.mintToken(),
  };
}
