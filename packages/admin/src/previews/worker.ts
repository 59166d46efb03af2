import { serveJobs, sha256 } from "@longhaul/fit";
import { makeTokenCounters } from "@longhaul/models";
import { openJobs } from "./do-job.ts";
import type { PreviewProtocol } from "./messages.ts";

serveJobs<PreviewProtocol>(openJobs(makeTokenCounters({ hash: sha256 })));
