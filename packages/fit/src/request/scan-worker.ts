import { serveJobs } from "../threads/serve-jobs.ts";
import { memoryOf, type ScanProtocol, scanBody } from "./scan.ts";

serveJobs<ScanProtocol>(
  async (job) => scanBody(job),
  ({ body, scan }) => memoryOf(body, scan.readable),
);
