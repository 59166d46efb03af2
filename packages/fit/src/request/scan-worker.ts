import { serveJobs } from "../threads/serve-jobs.ts";
import { memoryOf, type ScanTrade, scanBody } from "./scan.ts";

serveJobs<ScanTrade>(
  async (job) => scanBody(job),
  ({ body, scan }) => memoryOf(body, scan.readable),
);
