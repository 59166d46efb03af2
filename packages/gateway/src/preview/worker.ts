import { makeTokenCounters } from "@longhaul/models";
import { sha256 } from "../known-messages.ts";
import { serveJobs } from "../serve-jobs.ts";
import { openJobs } from "./do-job.ts";
import type { PreviewTrade } from "./messages.ts";

serveJobs<PreviewTrade>(openJobs(makeTokenCounters({ hash: sha256 })));
