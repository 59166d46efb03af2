import { printSessionErrors } from "./tokens/session-errors.ts";
import { printPathological, printThroughput } from "./tokens/throughput.ts";
import { printWarmRecount } from "./tokens/warm-recount.ts";

await printThroughput();
await printPathological();
await printWarmRecount();
await printSessionErrors();
