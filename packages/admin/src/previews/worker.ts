import { loadStrategiesOfThread, serveJobs, sha256 } from "@longhaul/fit";
import { makeTokenCounters } from "@longhaul/models";
import type { PreviewProtocol } from "./protocol.ts";
import { makeJobRunner } from "./run-job.ts";

loadStrategiesOfThread();
serveJobs<PreviewProtocol>(makeJobRunner(makeTokenCounters({ hash: sha256 })));
