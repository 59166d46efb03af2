import { serveJobs, sha256 } from "@longhaul/fit";
import { makeTokenCounters } from "@longhaul/models";
import { openJobs } from "./do-job.ts";
import type { PreviewTrade } from "./messages.ts";

serveJobs<PreviewTrade>(openJobs(makeTokenCounters({ hash: sha256 })));
