import { serveJobs } from "../threads/thread.ts";
import { memoryOf, type ScanProtocol, scanBody } from "./scan.ts";

serveJobs<ScanProtocol>(
  async (job) => scanBody(job),
  ({ body, scan }) => memoryOf(body, scan.readable),
);
